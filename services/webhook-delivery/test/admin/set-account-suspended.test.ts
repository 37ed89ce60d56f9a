import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  bodyOf,
  credentialOf,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel, outcomeOf, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('set_account_suspended', { replicas: 2 });
});
afterAll(() => fixture.close());

let version = 0;
const report = (suspended: boolean, at = ++version) =>
  fixture.client.setAccountSuspended({ account_id: MANAGER, suspended, version: at }, anonymous);
const execute = (webhook: Webhook, client = fixture.client) =>
  client.executeWebhook({ ...credentialOf(webhook), body: bodyOf({ content: 'x' }) }, anonymous);
const added = (guild?: string) => addWebhook(fixture, { channel_id: newChannel(fixture, guild) });

describe('a suspended account', () => {
  it('has no webhook whose token is accepted, until it is restored', async () => {
    const webhook = await added();
    await report(true);
    expect(await reasonOf(execute(webhook))).toBe('UNAUTHORIZED');
    const { webhook: shown } = await fixture.admin.getAdminWebhook({ webhook_id: webhook.id }, anonymous);
    expect(shown).toMatchObject({ creator_suspended: true, disablement: null });
    await report(false);
    await execute(webhook);
  });

  it('leaves the webhooks of other accounts alone', async () => {
    const webhook = await added();
    await fixture.sql.query('UPDATE webhooks SET creator_id = 4242 WHERE id = $1', [webhook.id]);
    await report(true);
    await execute(webhook);
    await report(false);
  });

  it('is reported once, however often and late the reports come', async () => {
    const webhook = await added();
    const first = ++version;
    const second = ++version;
    await report(true, second);
    await report(false, first);
    expect(await reasonOf(execute(webhook))).toBe('UNAUTHORIZED');
    await report(true, second);
    await report(false);
    await report(true, second);
    await execute(webhook);
  });

  it('has webhooks in many guilds, and all are fenced', async () => {
    const guilds = Array.from({ length: 205 }, (_, n) => String(7_000 + n));
    await fixture.sql.query(
      `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
       SELECT guild + 1000000, guild, 1, 'x', 'x', $2 FROM unnest($1::bigint[]) AS guild`,
      [guilds, MANAGER],
    );
    await report(true);
    expect(guilds.filter((guild) => !fixture.fences.has(guild))).toEqual([]);
    await report(false);
  });
});

it('once a suspension is answered, 64 callers at two replicas post nothing', async () => {
  const webhooks = await Promise.all([added(), added(), added()]);
  const callers = Array.from({ length: 64 }, async (_, n) => {
    for (;;) {
      const webhook = webhooks[n % webhooks.length] ?? webhooks[0];
      const outcome = await outcomeOf(execute(webhook, replicaOf(fixture, n)));
      if (outcome !== 'OK') return outcome;
    }
  });
  await execute(webhooks[0]);
  await report(true);
  const posted = fixture.posted.length;
  expect(new Set(await Promise.all(callers))).toEqual(new Set(['UNAUTHORIZED']));
  expect(fixture.posted.length).toBe(posted);
  await report(false);
});

it('a report that chat could not hear of is repeated with the same version', async () => {
  const guild = '8100';
  await added(guild);
  const at = ++version;
  fixture.before.fenceWebhooks = () => {
    throw new Error('chat fails');
  };
  await expect(report(true, at)).rejects.toThrow();
  delete fixture.before.fenceWebhooks;
  expect(fixture.fences.has(guild)).toBe(false);
  await report(true, at);
  expect(fixture.fences.has(guild)).toBe(true);
  await report(false);
});

it('an ID that is none is refused', async () => {
  const call = fixture.client.setAccountSuspended(
    { account_id: 'x', suspended: true, version: 1 },
    anonymous,
  );
  expect(await refusalOf(call)).toEqual(['INVALID_FORM_BODY', 'account_id INVALID_SNOWFLAKE_FORMAT']);
});
