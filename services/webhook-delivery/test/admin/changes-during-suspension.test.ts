import { reasonOf } from '@gatehouse/dev-env/faults';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('changes_during_suspension');
});
afterAll(() => fixture.close());

let version = 0;
const report = (suspended: boolean) =>
  fixture.client.setAccountSuspended({ account_id: MANAGER, suspended, version: ++version }, anonymous);
const added = () => addWebhook(fixture, { channel_id: newChannel(fixture) });
const rename = (webhook: Webhook) =>
  fixture.client.updateTokenWebhook({ ...credentialOf(webhook), body: bodyOf({ name: 'later' }) }, anonymous);

async function nameOf({ id }: Webhook): Promise<string | undefined> {
  const { rows } = await fixture.sql.query<{ name: string }>('SELECT name FROM webhooks WHERE id = $1', [id]);
  return rows[0]?.name;
}

/** Whether a statement with this text waits for a lock. */
async function isWaiting(text: string): Promise<boolean> {
  const { rowCount } = await fixture.sql.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
    [text],
  );
  return (rowCount ?? 0) > 0;
}

it('a change by token that waits while its creator is suspended is refused', async () => {
  const webhook = await added();
  const change = await inTransaction(fixture.sql, async (tx) => {
    await tx.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [webhook.id]);
    const change = reasonOf(rename(webhook));
    await expect.poll(() => isWaiting('FOR UPDATE')).toBe(true);
    await report(true);
    return { reason: change };
  });
  expect(await change.reason).toBe('UNAUTHORIZED');
  expect(await nameOf(webhook)).toBe(webhook.name);
  await report(false);
});

it('a suspension is answered after the changes by token that it did not refuse', async () => {
  const webhook = await added();
  const { change, suspension } = await inTransaction(fixture.sql, async (tx) => {
    await tx.query('LOCK TABLE webhook_changes IN SHARE MODE');
    const change = rename(webhook);
    await expect.poll(() => isWaiting('INSERT INTO webhook_changes')).toBe(true);
    const suspension = report(true).then(() => nameOf(webhook));
    await expect.poll(() => isWaiting('pg_advisory_xact_lock')).toBe(true);
    return { change, suspension };
  });
  expect(await suspension).toBe('later');
  await change;
  await report(false);
});
