"""requests-oauthlib's OAuth2 client, through the whole flow. It reads its settings, then the callback, each from a line of
standard input, and prints lines of JSON: the authorization URL, then the result of each call."""

import json
import sys

from oauthlib.oauth2 import OAuth2Error
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session


def answer(response):
    response.raise_for_status()
    return response.json() if response.content else None


def show(value):
    print(json.dumps(value), flush=True)


settings = json.loads(sys.stdin.readline())
routes = settings["routes"]
client_id, client_secret = settings["client_id"], settings["client_secret"]
if settings["authentication"] == "client_secret_basic":
    proof = {"auth": HTTPBasicAuth(client_id, client_secret)}
    form = {}
else:
    proof = {"include_client_id": True, "client_secret": client_secret}
    form = {"client_id": client_id, "client_secret": client_secret}
replaced = []


def replace(token):
    replaced.append(token["access_token"])


session = OAuth2Session(
    client_id,
    scope=["identify", "email"],
    redirect_uri=settings["redirect_uri"],
    pkce="S256",
    auto_refresh_url=f"{routes}/token",
    auto_refresh_kwargs=form,
    token_updater=replace,
)
url, _state = session.authorization_url(f"{routes}/authorize")
show(url)

callback = sys.stdin.readline().strip()
first = dict(session.fetch_token(f"{routes}/token", authorization_response=callback, **proof))
userinfo = answer(session.get(f"{routes}/userinfo"))
second = dict(session.refresh_token(f"{routes}/token", auth=proof.get("auth"), **form))


def post(path, body):
    return answer(session.post(f"{routes}/{path}", data={**body, **form}, auth=proof.get("auth"), withhold_token=True))


def introspect(token):
    return post("introspect", {"token": token})


live = [introspect(first["access_token"]), introspect(second["access_token"])]
used = introspect(first["refresh_token"])
try:
    session.fetch_token(f"{routes}/token", authorization_response=callback, **proof)
    replay = None
except OAuth2Error as error:
    replay = {"status": error.status_code, "text": str(error)}
_, headers, body = session._client.prepare_token_revocation_request(
    f"{routes}/token/revoke", token=second["refresh_token"], token_type_hint="refresh_token"
)
post("token/revoke", dict(pair.split("=", 1) for pair in body.split("&")))
dead = [introspect(token) for token in (first["access_token"], second["access_token"], second["refresh_token"])]
show({"first": first, "userinfo": userinfo, "second": second, "live": live, "replaced": used, "replay": replay, "dead": dead})
