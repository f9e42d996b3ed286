"""The schemes that tell an address from a label with a colon in text."""

from __future__ import annotations

from typing import Final

# Registered schemes, without http, https and mailto, and without those of single products. The
# scheme javascript is not registered.
# Spec: https://www.iana.org/assignments/uri-schemes/uri-schemes.xhtml
_NAMES: Final = """
aaa aaas about acap acct acd acr afp afs aim apt at attachment aw bitcoin blob bolo browserext
callto cap chrome chrome-extension cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid cvs
dab dat data dav dhttp dict did dlna-playcontainer dlna-playsingle dns doi dtn dvb dvx dweb
ed2k ens ethereum facetime feed feedready file filesystem finger fish fm ftp geo gg git
gizmoproject gopher grd gtalk h323 hcap hcp hxxp hxxps hydrazone hyper iax icap im imap info
ipfs ipn ipns ipp ipps irc irc6 ircs iris iris.beep iris.lwz iris.xpc iris.xpcs isostore itms
jabber jar javascript jms keyparc ldap ldaps leaptofrogans lid lpa magnet mailserver maps
matrix mid mms modem mongodb mqtt mqtts ms-help ms-settings msnim msrp msrps mtqp mumble
mupdate mvn ndef news nfs ni nih nntp ocf oid openid openpgp4fpr opaquelocktoken otpauth p1
pack palm paparazzi payment payto pgp pkcs11 pop pres prospero psyc pwid redis rediss reload
rmi rsync rtmfp rtmp rtsp rtsps rtspu secondlife sftp sgn shttp sieve sip sips skype smb sms
smtp snews snmp soap.beep soap.beeps spiffe spotify ssb ssh steam stun stuns svn swh tag
teamspeak tel telnet tftp thismessage tip tn3270 turn turns tv udp urn ut2004 vemmi ventrilo
vnc view-source vscode wais web+ap web3 webcal ws wss wtai xcon xcon-userid xfire xftp
xmlrpc.beep xmlrpc.beeps xmpp xri ymsgr z39.50 z39.50r z39.50s
"""
OTHER_SCHEMES: Final = frozenset(_NAMES.split())
"""The names of schemes whose addresses have no links inside of them."""
