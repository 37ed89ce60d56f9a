"""Authlib's OAuth2 client, through the whole flow. It reads its settings, then the callback, each from a line of standard
input, and prints lines of JSON: the authorization URL, then the result of each call."""

import json
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session


def answer(response):
    response.raise_for_status()
    return response.json() if response.content else None


def show(value):
    print(json.dumps(value), flush=True)


settings = json.loads(sys.stdin.readline())
routes = settings["routes"]
session = OAuth2Session(
    settings["client_id"],
    settings["client_secret"],
    token_endpoint_auth_method=settings["authentication"],
    revocation_endpoint_auth_method=settings["authentication"],
    scope="identify email",
    redirect_uri=settings["redirect_uri"],
    code_challenge_method="S256",
)
verifier = generate_token(48)
url, session.state = session.create_authorization_url(f"{routes}/authorize", code_verifier=verifier)
show(url)

exchange = {"authorization_response": sys.stdin.readline().strip(), "code_verifier": verifier}
first = dict(session.fetch_token(f"{routes}/token", **exchange))
userinfo = answer(session.get(f"{routes}/userinfo"))
second = dict(session.refresh_token(f"{routes}/token"))


def introspect(token):
    return answer(session.introspect_token(f"{routes}/introspect", token=token))


live = [introspect(first["access_token"]), introspect(second["access_token"])]
replaced = introspect(first["refresh_token"])
revoked = session.revoke_token(
    f"{routes}/token/revoke", token=second["refresh_token"], token_type_hint="refresh_token"
)
answer(revoked)
dead = [introspect(token) for token in (first["access_token"], second["access_token"], second["refresh_token"])]
show({"first": first, "userinfo": userinfo, "second": second, "live": live, "replaced": replaced, "dead": dead})
