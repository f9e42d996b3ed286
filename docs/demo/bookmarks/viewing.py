"""The URL viewer of weburl as a Django view."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from bookmarks.forms import ImportedLinkForm
from weburl import viewer as weburl_viewer


# The view changes nothing, and refuses requests from other sites.
@csrf_exempt
def viewer(request: HttpRequest, page: str = "") -> HttpResponse:
    """Return the viewer's response, which also shows what the bookmarks' field would store."""
    length = request.META.get("CONTENT_LENGTH") or ""
    response = weburl_viewer.respond(
        weburl_viewer.ViewerRequest(
            method=request.method or "",
            path=page,
            query=request.META.get("QUERY_STRING", ""),
            content_type=request.META.get("CONTENT_TYPE") or "",
            length=int(length) if length.isascii() and length.isdigit() and len(length) < 16 else 0,
            read=request.read,
            site=request.headers.get("Sec-Fetch-Site", ""),
        ),
        field=_stored,
        links=[weburl_viewer.SiteLink("Bookmarks", reverse("shelf"))],
    )
    answer = HttpResponse(response.body, status=int(response.status.split()[0]))
    for name, value in response.headers:
        answer[name] = value
    return answer


def _stored(text: str) -> weburl_viewer.Stored:
    form = ImportedLinkForm({"url": text})
    if form.is_valid():
        return weburl_viewer.Stored(form.cleaned_data["url"].href)
    return weburl_viewer.Stored(None, tuple(map(str, form.errors["url"])))
