"""Runs the Python client of the HTTP API: python-client.py URL_OF_THE_API EMAIL USERNAME."""

import asyncio
import json
import sys
from importlib.metadata import requires, version

from gatehouse import AuthenticatedClient, Client
from gatehouse.api.accounts import get_current_user, login, register
from gatehouse.api.channels import create_message, get_message, list_guild_channels, list_messages
from gatehouse.api.guilds import create_guild
from gatehouse.api.webhooks import create_webhook, execute_webhook
from gatehouse.models import (
    Channel,
    CreateGuildRequest,
    CreateMessageRequest,
    CreateWebhookRequest,
    CurrentUser,
    EmbedInput,
    ExecuteWebhookBody,
    Guild,
    InvalidFormBodyError,
    LoginRequest,
    LoginResponse,
    Message,
    RegisterRequest,
    RegisterResponse,
    UnauthorizedError,
    UnknownMessageError,
    Webhook,
)

API, EMAIL, USERNAME = sys.argv[1:]
PASSWORD = "correct horse battery staple"


def begin() -> tuple[str, str]:
    """Registers and logs in. Returns the session's token, and a channel."""
    with Client(base_url=API) as anyone:
        refused = register.sync(client=anyone, body=RegisterRequest(email="x", username=USERNAME, password=PASSWORD))
        assert isinstance(refused, InvalidFormBodyError), refused
        assert [(error.path, error.code) for error in refused.errors] == [("email", "INVALID_EMAIL_FORMAT")], refused
        account = RegisterRequest(email=EMAIL, username=USERNAME, password=PASSWORD)
        registered = register.sync(client=anyone, body=account)
        assert isinstance(registered, RegisterResponse), registered
        session = login.sync(client=anyone, body=LoginRequest(email=EMAIL, password=PASSWORD))
        assert isinstance(session, LoginResponse) and isinstance(session.token, str), session
    with AuthenticatedClient(base_url=API, token=session.token) as client:
        me = get_current_user.sync(client=client)
        assert isinstance(me, CurrentUser) and me.id == registered.user_id, me
        guild = create_guild.sync(client=client, body=CreateGuildRequest(name="Workshop"))
        assert isinstance(guild, Guild), guild
        channels = list_guild_channels.sync(guild.id, client=client)
        assert isinstance(channels, list) and isinstance(channels[0], Channel), channels
        return session.token, channels[0].id


def threads(token: str, channel_id: str) -> None:
    with AuthenticatedClient(base_url=API, token=token) as client:
        sent = create_message.sync(channel_id, client=client, body=CreateMessageRequest(content="from a thread"))
        assert isinstance(sent, Message), sent
        read = get_message.sync(channel_id, sent.id, client=client)
        assert isinstance(read, Message) and read.content == "from a thread", read
        listed = list_messages.sync(channel_id, client=client, limit=1)
        assert isinstance(listed, list) and [message.id for message in listed] == [sent.id], listed
        gone = get_message.sync_detailed(channel_id, "1", client=client)
        assert isinstance(gone.parsed, UnknownMessageError), gone
        assert (gone.status_code, gone.parsed.code) == (404, "UNKNOWN_MESSAGE"), gone
        assert gone.headers["x-request-id"], gone
    with AuthenticatedClient(base_url=API, token="gth_dead") as dead:
        assert isinstance(get_current_user.sync(client=dead), UnauthorizedError)


async def tasks(token: str, channel_id: str) -> None:
    async with AuthenticatedClient(base_url=API, token=token) as client:
        webhook = await create_webhook.asyncio(channel_id, client=client, body=CreateWebhookRequest(name="builds"))
        assert isinstance(webhook, Webhook), webhook
        async with Client(base_url=API) as anyone:
            body = ExecuteWebhookBody(content="from a webhook", embeds=[EmbedInput(title="Build 7")])
            sent = await execute_webhook.asyncio(webhook.id, webhook.token, client=anyone, body=body, wait="true")
            assert isinstance(sent, Message) and sent.webhook_id == webhook.id, sent
        bodies = [CreateMessageRequest(content=f"from task {number}") for number in range(3)]
        answers = await asyncio.gather(
            *(create_message.asyncio(channel_id, client=client, body=body) for body in bodies)
        )
        assert all(isinstance(answer, Message) for answer in answers), answers
        listed = await list_messages.asyncio(channel_id, client=client)
        assert isinstance(listed, list) and len(listed) == 5, listed
        assert listed[3].id == sent.id and listed[3].embeds[0].title == "Build 7", listed
        gone = await get_message.asyncio(channel_id, "1", client=client)
        assert isinstance(gone, UnknownMessageError), gone


session_token, channel = begin()
threads(session_token, channel)
asyncio.run(tasks(session_token, channel))
print(json.dumps({"version": version("gatehouse"), "requires": requires("gatehouse")}))
