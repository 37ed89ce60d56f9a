"""Runs discord.py, hikari and apprise against the webhook and channel from standard input, and prints their results."""

import asyncio
import json
import sys

import apprise
import discord
import hikari
from apprise.plugins.discord import NotifyDiscord
from apprise.plugins.slack import NotifySlack
from discord.http import Route

given = json.load(sys.stdin)
api, webhook_id, token = given["api"], given["webhook_id"], given["token"]


def by_discord_py():
    Route.BASE = api
    webhook = discord.SyncWebhook.partial(int(webhook_id), token).fetch()
    renamed = webhook.edit(name="Deploys")
    embed = discord.Embed(title="Build 7", colour=0x36A64F)
    sent = renamed.send("by discord.py", embed=embed, username="Py", wait=True)
    edited = sent.edit(content="edited by discord.py")
    gone = renamed.send("gone", wait=True)
    gone.delete()
    try:
        renamed.send("x" * 4_001)
        refused = None
    except AttributeError as error:
        refused = str(error)
    return [renamed.name, str(renamed.guild_id), sent.author.name, edited.content, refused]


async def by_hikari():
    app = hikari.RESTApp(url=api)
    await app.start()
    async with app.acquire(given["bot_token"], hikari.TokenType.BOT) as rest:
        me = await rest.fetch_my_user()
        message = await rest.create_message(int(given["channel_id"]), "by hikari")
        webhook = await rest.fetch_webhook(int(webhook_id), token=token)
        executed = await rest.execute_webhook(webhook, token, "executed by hikari")
        seen = [me.is_bot, message.content, webhook.name, executed.content]
    await app.close()
    return seen


def by_apprise():
    NotifyDiscord.notify_url = NotifySlack.webhook_url = f"{api}/webhooks"
    return [
        notify(f"discord://{webhook_id}/{token}", "by apprise, as Discord"),
        notify(f"slack://{webhook_id}/{token}/chatcompat", "by apprise, as Slack"),
    ]


def notify(url, body):
    client = apprise.Apprise()
    client.add(url)
    return bool(client.notify(body=body))


print(json.dumps([by_discord_py(), asyncio.run(by_hikari()), by_apprise()]))
