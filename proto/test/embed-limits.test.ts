import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EMBED_LIMITS } from '../embed-limits.ts';
import { protoRoot } from '../schema.ts';

test.each([
  ['gatehouse/chat/v1/chat.proto', 'EmbedInput embeds', EMBED_LIMITS.embeds],
  ['gatehouse/chat/v1/chat.proto', 'EmbedFieldInput fields', EMBED_LIMITS.fields],
  ['gatehouse/webhook_delivery/v1/webhook_delivery.proto', 'EmbedInput embeds', EMBED_LIMITS.embeds],
])('the contract reads as many items as a message can hold: %s, %s', (file, field, limit) => {
  const proto = readFileSync(join(protoRoot, file), 'utf8');
  const [, items] =
    new RegExp(`${field} = \\d+ \\[\\(kit\\.v1\\.json\\)\\.max_items = (\\d+)\\]`).exec(proto) ?? [];
  expect(Number(items)).toBe(limit);
});
