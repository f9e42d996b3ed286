"""The tracking parameters that the ready rules drop, with the reason for each.

The list is short. It has the parameters that only record how a visitor came to a page, and whose
names sites are unlikely to use for anything else. So "ref" and "source" are not in it.
"""

from __future__ import annotations

from typing import Final

import attrs

from weburl.keys.params import ParamRule


@attrs.frozen
class TrackingParams:
    """Parameters of one kind, and why they are dropped.

    Args:
        rule: which parameters.
        reason: what sets them, in a few words.
    """

    __module__ = "weburl.keys"

    rule: ParamRule
    reason: str


TRACKING_PARAMS: Final = (
    TrackingParams(ParamRule(prefixes=("utm_",)), "campaigns, in the names of Google Analytics"),
    TrackingParams(
        ParamRule(("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid")),
        "clicks on the ads of Google",
    ),
    TrackingParams(ParamRule(("srsltid",)), "visits from Google's free product listings"),
    TrackingParams(ParamRule(("_ga", "_gl")), "visitors that Google Analytics takes across sites"),
    TrackingParams(ParamRule(("fbclid",)), "clicks on Facebook"),
    TrackingParams(ParamRule(("igsh", "igshid")), "shares on Instagram"),
    TrackingParams(ParamRule(("msclkid",)), "clicks on the ads of Microsoft"),
    TrackingParams(ParamRule(("twclid",)), "clicks on the ads of X"),
    TrackingParams(ParamRule(("ttclid",)), "clicks on the ads of TikTok"),
    TrackingParams(ParamRule(("li_fat_id",)), "clicks on the ads of LinkedIn"),
    TrackingParams(ParamRule(("epik",)), "clicks on the ads of Pinterest"),
    TrackingParams(ParamRule(("ScCid", "sccid")), "clicks on the ads of Snapchat"),
    TrackingParams(ParamRule(("rdt_cid",)), "clicks on the ads of Reddit"),
    TrackingParams(ParamRule(("yclid", "ysclid", "_openstat")), "clicks counted by Yandex"),
    TrackingParams(ParamRule(("irclickid",)), "clicks counted by Impact"),
    TrackingParams(ParamRule(("mc_cid", "mc_eid")), "mail sent by Mailchimp"),
    TrackingParams(ParamRule(("mkt_tok",)), "mail sent by Marketo"),
    TrackingParams(ParamRule(("vero_id", "vero_conv")), "mail sent by Vero"),
    TrackingParams(ParamRule(("oly_anon_id", "oly_enc_id")), "mail sent by Omeda"),
    TrackingParams(ParamRule(("ml_subscriber", "ml_subscriber_hash")), "mail sent by MailerLite"),
    TrackingParams(ParamRule(("ck_subscriber_id",)), "mail sent by Kit"),
    TrackingParams(
        ParamRule(
            ("_hsenc", "_hsmi", "__hstc", "__hssc", "__hsfp", "hsCtaTracking"), prefixes=("hsa_",)
        ),
        "visitors, mail and ads counted by HubSpot",
    ),
    TrackingParams(
        ParamRule(
            (
                "pk_campaign",
                "pk_cid",
                "pk_content",
                "pk_keyword",
                "pk_kwd",
                "pk_medium",
                "pk_source",
            ),
            prefixes=("mtm_",),
        ),
        "campaigns, in the names of Matomo",
    ),
    TrackingParams(
        ParamRule(("si",), sites=("youtube.com", "youtu.be", "spotify.com")),
        "shares on YouTube and Spotify",
    ),
    TrackingParams(
        ParamRule(("ref_src", "ref_url"), sites=("twitter.com", "x.com")),
        "the page that shows a post of X",
    ),
)
"""All of them, those for every site first."""
