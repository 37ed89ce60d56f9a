-- Finds the pictures of webhooks that messages show: webhook-delivery asks before a picture is removed.
CREATE INDEX messages_webhook_avatar_idx ON messages (webhook_avatar) WHERE webhook_avatar IS NOT NULL;
