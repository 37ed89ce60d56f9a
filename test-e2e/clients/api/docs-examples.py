"""Runs the Python example of each operation's page in a folder, with an HTTP client that sends nothing.

Prints a JSON list of the examples that failed, or that made another request than their operation's.
"""

import contextlib
import html
import io
import json
import os
import re
import sys
from pathlib import Path

import httpx

EXAMPLE = re.compile(r'data-language="python"><pre><code>(.*?)</code>', re.DOTALL)
ENDPOINT = re.compile(r'class="endpoint"><span class="verb" data-verb="(\w+)">.*?<code>([^<]*)</code>', re.DOTALL)
VARIABLES = ["TOKEN", "BOT_TOKEN", "ACCESS_TOKEN", "CLIENT_SECRET", "WEBHOOK_TOKEN", "MAIL_TOKEN"]

requests: list[httpx.Request] = []


def refuse(_client: httpx.Client, request: httpx.Request, **_options: object) -> httpx.Response:
    requests.append(request)
    error = {"error": "503 Service Unavailable", "code": "SERVICE_UNAVAILABLE", "message": "sent nowhere"}
    return httpx.Response(503, request=request, json=error)


def problem_of(page: str) -> str | None:
    endpoint, example = ENDPOINT.search(page), EXAMPLE.search(page)
    if endpoint is None or example is None:
        return "the page has no example"
    program = html.unescape(re.sub(r"<[^>]*>", "", example[1]))
    path = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(html.unescape(endpoint[2])))
    requests.clear()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(program, {"__name__": "__main__"})
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    made = [(request.method, request.url.path) for request in requests]
    if len(made) == 1 and made[0][0] == endpoint[1] and re.fullmatch(path, made[0][1]):
        return None
    return f"its requests: {made}"


def main(folder: Path) -> None:
    httpx.Client.send = refuse  # type: ignore[method-assign]
    os.environ.update({name: name.lower() for name in VARIABLES})
    pages = sorted(folder.glob("*.html"))
    problems = {page.stem: problem_of(page.read_text()) for page in pages}
    failed = [f"{name}: {problem}" for name, problem in problems.items() if problem is not None]
    print(json.dumps({"examples": len(pages), "failed": failed}))


main(Path(sys.argv[1]))
