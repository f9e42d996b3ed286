"""History: how older rules define a URL. Do not use it to decide what a URL means today.

`rfc3986` and `rfc3987`: the generic syntax of 2005. `web_addresses`: "Web addresses in HTML 5"
(2009). `html5_urls`, `base_urls`, `base_url_changes` and `decomposition`: the working draft of
HTML5, section 2.6 (about 2011). `url_standard_2020` and `url_standard_2024`: the URL Standard of
those years. `history` compares them with today's. `import weburl` never imports this package; ask
for its modules by name.
"""
