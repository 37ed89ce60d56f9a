"""Accounts, a guild and their objects, which requests of Schemathesis name instead of random IDs."""

import base64
import itertools
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

REDIRECT_URI = "https://client.test/callback"
SCOPES = "identify email guilds connections"
PASSWORD = "correct horse battery staple"
ADMINISTRATOR = "8"

Values = dict[str, str]


class World:
    """Objects that exist, by the names of parameters and members, and credentials for them.

    Requests that end or change what later requests need get objects and credentials of their own.
    """

    def __init__(self, api: str) -> None:
        self._api = api
        self._http = requests.Session()
        self._numbers = itertools.count(1)
        self._run = secrets.token_hex(4)
        self._disposable: dict[str, str] = {}
        self.session = self._register()["session"]
        self._grant_sudo(self.session)
        self._member = self._register()
        self._spare = self._register()
        self._changeable = self._register()
        application = self._new_application()
        client = f"{application['id']}:{application['client_secret']}"
        self.credentials = {
            "session": self.session,
            "bot": f"Bot {application['bot']['token']}",
            "client": f"Basic {base64.b64encode(client.encode()).decode()}",
        }
        self._other_application = {"application_id": self._new_application()["id"]}
        self.values: Values = {
            "user_id": self._member["user_id"],
            "recipient_id": self._member["user_id"],
            "application_id": application["id"],
            "client_id": application["id"],
            "client_secret": application["client_secret"],
            "redirect_uri": REDIRECT_URI,
        }
        self.values |= self._new_guild()
        self.values |= self._new_tokens()
        self.credentials["access_token"] = f"Bearer {self.values['access_token']}"

    def own_values(self, operation_id: str) -> Values:
        """Returns other objects for an operation that ends or changes what it names. Empty for the rest."""
        create = self._OWN_VALUES.get(operation_id)
        return {} if create is None else create(self)

    def own_session(self, operation_id: str) -> str | None:
        """Returns another session for an operation that ends its caller's, or changes the password. None for the rest."""
        if operation_id == "updateCurrentUser":
            return self._changeable["session"]
        if operation_id in ("logout", "endSessions", "revokeAuthorizations"):
            login = {"email": self._spare["email"], "password": PASSWORD}
            return f"Bearer {self._call('POST', '/auth/login', login, None)['token']}"
        if operation_id == "deleteCurrentUser":
            session = self._register()["session"]
            self._grant_sudo(session)
            return session
        return None

    def renew_sudo(self) -> None:
        """Proves the password again: a proof holds for minutes, and some runs for longer."""
        self._grant_sudo(self.session)
        self._grant_sudo(self._changeable["session"], check=False)

    def _new_guild(self) -> Values:
        guild = self._call("POST", "/guilds", {"name": "Workshop"})
        values = {"guild_id": guild["id"]}
        channels = self._call("GET", f"/guilds/{guild['id']}/channels")
        values["channel_id"] = next(channel["id"] for channel in channels if channel["name"] == "general")
        values |= self._new_role(values) | self._new_invite(values)
        values["overwrite_id"] = values["role_id"]
        self._join(values["code"])
        installation = {"client_id": self.values["client_id"], "scope": "bot", "guild_id": guild["id"]}
        self._call("POST", "/oauth2/authorize/consent", {**installation, "permissions": ADMINISTRATOR})
        return values | self._new_webhook(values)

    def _disposable_guild(self) -> Values:
        return self._instead("guild", self._new_guild, "/guilds/{guild_id}")

    def _disposable_channel(self) -> Values:
        def create() -> Values:
            body = {"name": "scratch", "type": 0}
            return {"channel_id": self._call("POST", f"/guilds/{self.values['guild_id']}/channels", body)["id"]}

        return self._instead("channel", create, "/channels/{channel_id}")

    def _disposable_role(self) -> Values:
        path = f"/guilds/{self.values['guild_id']}/roles/{{role_id}}"
        return self._instead("role", lambda: self._new_role(self.values), path)

    def _disposable_webhook(self) -> Values:
        return self._instead("webhook", lambda: self._new_webhook(self.values), "/webhooks/{webhook_id}")

    def _disposable_application(self) -> Values:
        path = "/oauth2/applications/{application_id}"
        return self._instead("application", lambda: {"application_id": self._new_application()["id"]}, path)

    def _instead(self, kind: str, create: Callable[[], Values], path: str) -> Values:
        """Creates an object, after it deleted the one before: there may be only so many of a kind."""
        before = self._disposable.pop(kind, None)
        if before is not None:
            self._send("DELETE", before)
        created = create()
        self._disposable[kind] = path.format(**created)
        return created

    def _new_message(self) -> Values:
        message = self._call("POST", f"/channels/{self.values['channel_id']}/messages", {"content": "Hello"})
        return {"message_id": message["id"]}

    def _new_role(self, values: Values) -> Values:
        return {"role_id": self._call("POST", f"/guilds/{values['guild_id']}/roles", {"name": "Crew"})["id"]}

    def _new_invite(self, values: Values) -> Values:
        return {"code": self._call("POST", f"/channels/{values['channel_id']}/invites", {})["code"]}

    def _new_webhook(self, values: Values) -> Values:
        webhook = self._call("POST", f"/channels/{values['channel_id']}/webhooks", {"name": "Build"})
        created = {"webhook_id": webhook["id"], "token": webhook["token"]}
        return created | self._new_webhook_message(created)

    def _new_webhook_message(self, webhook: Values) -> Values:
        path = f"/webhooks/{webhook['webhook_id']}/{webhook['token']}?wait=true"
        return {"message_id": self._call("POST", path, {"content": "Deployed"}, None)["id"]}

    def _new_application(self) -> dict[str, Any]:
        created: dict[str, Any] = self._call(
            "POST", "/oauth2/applications", {"name": "Helper", "redirect_uris": [REDIRECT_URI]}
        )
        return created

    def _joined_member(self) -> Values:
        self._join(self.values["code"])
        return {"user_id": self._member["user_id"]}

    def _join(self, code: str) -> None:
        self._call("POST", f"/invites/{code}", authorization=self._member["session"])

    def _new_code(self) -> str:
        request = {"client_id": self.values["client_id"], "redirect_uri": REDIRECT_URI, "scope": SCOPES}
        answer = self._call("POST", "/oauth2/authorize/consent", {**request, "response_type": "code"})
        return parse_qs(urlsplit(answer["redirect_to"]).query)["code"][0]

    def _new_tokens(self) -> Values:
        form = {"grant_type": "authorization_code", "code": self._new_code(), "redirect_uri": REDIRECT_URI}
        headers = {"authorization": self.credentials["client"]}
        answer = self._http.post(f"{self._api}/oauth2/token", data=form, headers=headers, timeout=30)
        answer.raise_for_status()
        return {name: answer.json()[name] for name in ("access_token", "refresh_token")}

    def _register(self) -> dict[str, str]:
        username = f"fuzz_{self._run}_{next(self._numbers)}"
        email = f"{username}@example.com"
        body = {"email": email, "username": username, "password": PASSWORD}
        answer = self._call("POST", "/auth/register", body, None)
        return {"email": email, "session": f"Bearer {answer['token']}", "user_id": answer["user_id"]}

    def _grant_sudo(self, session: str, *, check: bool = True) -> None:
        self._send("POST", "/auth/sudo", {"password": PASSWORD}, session, check=check)

    def _call(self, method: str, path: str, body: object = None, authorization: str | None = "") -> Any:
        answer = self._send(method, path, body, authorization, check=True)
        return answer.json() if answer.content else None

    def _send(
        self,
        method: str,
        path: str,
        body: object = None,
        authorization: str | None = "",
        *,
        check: bool = False,
    ) -> requests.Response:
        """Sends as the owner, unless another credential or None is named. Every request has another address."""
        number = next(self._numbers)
        headers = {"x-forwarded-for": f"10.{200 + number // 65_536}.{number // 256 % 256}.{number % 256}"}
        if authorization is not None:
            headers["authorization"] = authorization or self.session
        answer = self._http.request(method, self._api + path, json=body, headers=headers, timeout=30)
        if check and not answer.ok:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer

    _OWN_VALUES: dict[str, Callable[["World"], Values]] = {
        "deleteGuild": _disposable_guild,
        "leaveGuild": _disposable_guild,
        "deleteChannel": _disposable_channel,
        "deleteRole": _disposable_role,
        "deleteMessage": _new_message,
        "updateMessage": _new_message,
        "deleteInvite": lambda world: world._new_invite(world.values),
        "removeMember": _joined_member,
        "deleteWebhook": _disposable_webhook,
        "deleteTokenWebhook": _disposable_webhook,
        "deleteWebhookMessage": lambda world: world._new_webhook_message(world.values),
        "deleteApplication": _disposable_application,
        "updateApplication": lambda world: world._other_application,
        "resetBotToken": lambda world: world._other_application,
        "resetClientSecret": lambda world: world._other_application,
        "deleteAuthorization": lambda world: world._other_application,
        "exchangeToken": lambda world: {"code": world._new_code()},
        "revokeToken": lambda world: {"token": world._new_tokens()["refresh_token"]},
        "introspectToken": lambda world: {"token": world.values["access_token"]},
    }
