"""Sends the messages from standard input, a JSON list, with slack_sdk's WebhookClient, and prints the responses."""

import json
import sys

from slack_sdk.webhook import WebhookClient

url, messages = json.load(sys.stdin)
client = WebhookClient(url)
answers = [client.send(**message) for message in messages]
print(json.dumps([[answer.status_code, answer.body] for answer in answers]))
