-- Messages of webhooks whose credential was checked before this fence are refused: webhook-delivery raises it when it
-- refuses webhooks that it accepted before (docs/webhooks.md#disabled-webhooks).
ALTER TABLE guilds ADD COLUMN webhook_fence bigint NOT NULL DEFAULT 0;
