"""The schemes that tell an address from a label with a colon in text."""

from __future__ import annotations

from typing import Final

# Schemes of IANA's registry of 2022-11-18, and javascript, which is not registered. Any scheme
# counts if "//" follows it. Left out are those of single products, words that people write as
# labels, such as info, news and git, and http, https and mailto.
# Spec: https://www.iana.org/assignments/uri-schemes/uri-schemes.xhtml
_NAMES: Final = """
aaa aaas about acap acct acd acr afp afs aim apt ark aw bitcoin blob bolo browserext callto
cap chrome chrome-extension cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid cvs dab
dat data dav dict did dlna-playcontainer dlna-playsingle dns dtn dvb dvx dweb ed2k ens
ethereum facetime feed feedready filesystem finger geo gg gizmoproject grd gtalk h323 hcap hcp
hxxp hxxps hydrazone hyper iax icap im ipfs ipn ipns ipp ipps irc irc6 ircs iris iris.beep
iris.lwz iris.xpc iris.xpcs isostore itms jabber jar javascript jms keyparc ldap ldaps
leaptofrogans lpa magnet mailserver matrix mid mms mongodb ms-help ms-settings msnim msrp
msrps mtqp mumble mupdate mvn nfs ni nih nntp ocf oid onenote opaquelocktoken openpgp4fpr
otpauth p1 paparazzi payto pkcs11 pres prospero psyc pwid redis rediss rmi rsync rtmfp rtmp
rtsp rtsps rtspu secondlife sftp sgn shttp sieve sip sips sms smtp snews snmp soap.beep
soap.beeps spiffe ssb stun stuns swh tag teamspeak tel telnet tftp thismessage tn3270 turn
turns udp urn ut2004 vemmi ventrilo view-source vscode wais web3 webcal ws wss wtai xcon
xcon-userid xfire xmlrpc.beep xmlrpc.beeps xmpp xri ymsgr z39.50 z39.50r z39.50s
"""
OTHER_SCHEMES: Final = frozenset(_NAMES.split())
"""The names of schemes whose addresses have no links inside of them."""
