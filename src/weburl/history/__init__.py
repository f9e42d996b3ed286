"""Older definitions of a URL. For what a URL means today, use `weburl.parse`.

- `rfc3986` and `rfc3987`: the generic syntax of 2005.
- `web_addresses`: "Web addresses in HTML 5" of 2009.
- `html5_urls` and `decomposition`: section 2.6 of the working draft of HTML5, from about 2011.
- `url_standard_2020` and `url_standard_2024`: the URL Standard in those years.
- `readings`: compares all of these with today's standard.

``import weburl`` does not import this room. Import its modules by name. In `weburl`, only
`weburl.policies.readers` uses it, to find out whether other programs may understand a URL
differently.

An old document does not change when today's standard changes. So the tables of each
edition are here, and only `readings` may read today's. The other modules share with
today's code what is not a fact of one edition:

- strings: `weburl.standard.infra.strings`;
- percent-encoding with a set that the caller gives: `weburl.standard.infra.percent_encoding`, and
  the type of the set, from `weburl.standard.infra.code_points`;
- the encodings of the Encoding Standard: `weburl.standard.infra.encodings`;
- what hides passwords in a repr, which should always be as strict as today:
  `weburl.standard.infra.credentials`;
- the values that hold addresses, `weburl.standard.hosts.values`, and the notation of IPv6
  addresses, which RFC 4291 defines for every edition: `weburl.standard.hosts.ipv6`, with the error
  that it raises, from `weburl.standard.infra.errors`;
- Punycode, `weburl.standard.hosts.punycode`, and the steps and tables of UTS #46,
  `weburl.standard.hosts.uts46`. `idna_editions` takes back what newer versions of Unicode changed.
"""
