"""Answers the page's questions inside Pyodide. The site serves this file as it is.

The answers are those of the viewer's server, so the page needs nothing of its own to show them.
"""

from __future__ import annotations

from io import BytesIO

from weburl.viewer import ViewerRequest, respond


def answer(question: str) -> tuple[str, str]:
    """Return the status and the JSON with which the viewer responds to a question in JSON."""
    body = question.encode()
    response = respond(
        ViewerRequest(
            method="POST",
            path="report.json",
            content_type="application/json",
            length=len(body),
            read=BytesIO(body).read,
        )
    )
    return response.status, response.body.decode()
