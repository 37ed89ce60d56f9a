import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Suite, startSuite } from './harness.ts';

let suite: Suite;
beforeAll(async () => {
  suite = await startSuite('chat_janitor', 1, { background_every_ms: 20 });
});
afterAll(() => suite.close());

test('claims of a day ago are removed in the background, those of 23 hours ago stay', async () => {
  await suite.sql.query(
    `INSERT INTO deduplication_claims (webhook_id, key_sha256, message_id, claimed_at)
     VALUES (1, 'old', 2, now() - interval '24 h'), (1, 'live', 3, now() - interval '23 h')`,
  );
  const claimants = async () => {
    const { rows } = await suite.sql.query('SELECT message_id FROM deduplication_claims');
    return rows.map(({ message_id }) => message_id);
  };
  await expect.poll(claimants).toEqual(['3']);
});
