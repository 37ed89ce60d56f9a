import { faultOf, reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  GUILD,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { newChannel, outcomeOf, replicaOf } from '../support.ts';

let fixture: WebhookDelivery;
beforeAll(async () => {
  fixture = await startWebhookDelivery('disable_webhook', { replicas: 2 });
});
afterAll(() => fixture.close());

const BY = { operator: 'ada', reason: 'It floods.' };
const added = () => addWebhook(fixture, { channel_id: newChannel(fixture) });
const disable = ({ id }: Webhook, by = BY) =>
  fixture.admin.disableWebhook({ webhook_id: id, ...by }, anonymous);
const enable = ({ id }: Webhook, by = BY) =>
  fixture.admin.enableWebhook({ webhook_id: id, ...by }, anonymous);
const execute = (webhook: Webhook, client = fixture.client) =>
  client.executeWebhook({ ...credentialOf(webhook), body: bodyOf({ content: 'x' }) }, anonymous);

/** Every RPC with a token. */
function tokenCalls(webhook: Webhook): Promise<unknown>[] {
  const { client } = fixture;
  const credential = credentialOf(webhook);
  const body = bodyOf({ content: 'x', text: 'x', name: 'x' });
  return [
    client.getTokenWebhook(credential, anonymous),
    client.updateTokenWebhook({ ...credential, body }, anonymous),
    client.executeWebhook({ ...credential, body }, anonymous),
    client.executeChatcompat({ ...credential, body }, anonymous),
    client.executeCodehost({ ...credential, body }, anonymous),
    client.executeStatuspage({ ...credential, body }, anonymous),
    client.getWebhookMessage({ ...credential, message_id: '1' }, anonymous),
    client.updateWebhookMessage({ ...credential, message_id: '1', body }, anonymous),
    client.deleteWebhookMessage({ ...credential, message_id: '1' }, anonymous),
    client.deleteTokenWebhook(credential, anonymous),
  ];
}

describe('a disabled webhook', () => {
  it('answers every request with its token as a wrong token is answered', async () => {
    const webhook = await added();
    await disable(webhook);
    const wrong = await faultOf(
      fixture.client.getTokenWebhook({ ...credentialOf(webhook), token: 'x' }, anonymous),
    );
    for (const call of tokenCalls(webhook)) {
      const { reason, message } = await faultOf(call);
      expect([reason, message]).toEqual([wrong.reason, wrong.message]);
    }
  });

  it('is still managed, but neither tested nor sent a payload again', async () => {
    const webhook = await added();
    await disable(webhook);
    const managed = { webhook_id: webhook.id };
    await fixture.client.getWebhook(managed, as(MANAGER));
    await fixture.client.updateWebhook({ ...managed, name: 'Renamed', avatar: null }, as(MANAGER));
    expect(await reasonOf(fixture.client.testWebhook(managed, as(MANAGER)))).toBe('FORBIDDEN');
    const retry = fixture.client.retryDelivery({ ...managed, delivery_id: '1' }, as(MANAGER));
    expect(await reasonOf(retry)).toBe('FORBIDDEN');
    await fixture.client.deleteWebhook(managed, as(MANAGER));
  });

  it('leaves the others of its channel alone', async () => {
    const webhook = await added();
    const neighbour = await addWebhook(fixture, { channel_id: webhook.channel_id });
    await disable(webhook);
    const outcomes = [execute(webhook), execute(neighbour), execute(webhook), execute(neighbour)];
    expect(await Promise.all(outcomes.map(outcomeOf))).toEqual(['UNAUTHORIZED', 'OK', 'UNAUTHORIZED', 'OK']);
  });

  it('works again once it is enabled', async () => {
    const webhook = await added();
    await disable(webhook);
    await enable(webhook);
    await execute(webhook);
  });
});

describe('DisableWebhook', () => {
  it('answers with the webhook before and after, without its token', async () => {
    const webhook = await added();
    const { before, after } = await disable(webhook, { operator: ' ada ', reason: ' It floods. ' });
    expect(before).toMatchObject({ id: webhook.id, guild_id: GUILD, disablement: null });
    expect(after).toMatchObject({ creator_id: MANAGER, disablement: BY, creator_suspended: false });
    expect(JSON.stringify([before, after])).not.toContain(webhook.token);

    const again = await disable(webhook, { operator: 'bob', reason: 'Spam.' });
    expect(again.before?.disablement).toEqual(after?.disablement);
    expect(again.after?.disablement).toEqual({
      at_ms: after?.disablement?.at_ms,
      operator: 'bob',
      reason: 'Spam.',
    });
    const enabled = await enable(webhook);
    expect([enabled.before?.disablement, enabled.after?.disablement]).toEqual([
      again.after?.disablement,
      null,
    ]);
    expect((await enable(webhook)).after).toEqual(enabled.after);
  });

  it.each([
    ['no operator', { operator: ' ', reason: 'x' }, 'operator STRING_LENGTH_INVALID'],
    ['no reason', { operator: 'x', reason: '' }, 'reason STRING_LENGTH_INVALID'],
    ['a long operator', { operator: 'x'.repeat(65), reason: 'x' }, 'operator STRING_LENGTH_INVALID'],
    ['a long reason', { operator: 'x', reason: '🔥'.repeat(513) }, 'reason STRING_LENGTH_INVALID'],
    ['a NUL', { operator: 'x', reason: 'x\0x' }, 'reason INVALID_FORMAT'],
  ])('refuses %s', async (_, by, violation) => {
    const webhook = await added();
    expect(await refusalOf(disable(webhook, by))).toEqual(['INVALID_FORM_BODY', violation]);
    expect(await refusalOf(enable(webhook, by))).toEqual(['INVALID_FORM_BODY', violation]);
    await execute(webhook);
  });

  it('knows no webhook that does not exist', async () => {
    const unknown = { id: '1'.repeat(18) } as Webhook;
    expect(await reasonOf(disable(unknown))).toBe('UNKNOWN_WEBHOOK');
    expect(await reasonOf(enable(unknown))).toBe('UNKNOWN_WEBHOOK');
    expect(await reasonOf(disable({ id: "'; DROP" } as Webhook))).toBe('INVALID_FORM_BODY');
  });

  it('fails while chat is unavailable, and then has refused new executions already', async () => {
    const webhook = await added();
    await fixture.stopChat();
    const failed = await reasonOf(disable(webhook));
    await fixture.startChat();
    expect(failed).toBe('SERVICE_UNAVAILABLE');
    expect(await reasonOf(execute(webhook))).toBe('UNAUTHORIZED');
    await expect.poll(() => outcomeOf(disable(webhook))).toBe('OK');
  });
});

describe('once DisableWebhook has answered', () => {
  it('no message of an execution that was checked before is posted', async () => {
    const webhook = await added();
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    fixture.before.createWebhookMessage = () => {
      arrived.resolve();
      return held.promise;
    };
    const outcome = outcomeOf(execute(webhook));
    await arrived.promise;
    await disable(webhook);
    const posted = fixture.posted.length;
    delete fixture.before.createWebhookMessage;
    held.resolve();
    expect(await outcome).toBe('UNAUTHORIZED');
    expect(fixture.posted.length).toBe(posted);
  });

  it('an execution of another webhook that was checked before is posted once', async () => {
    const webhook = await added();
    const neighbour = await added();
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    fixture.before.createWebhookMessage = () => {
      arrived.resolve();
      return held.promise;
    };
    const outcome = outcomeOf(execute(neighbour));
    await arrived.promise;
    await disable(webhook);
    const posted = fixture.posted.length;
    delete fixture.before.createWebhookMessage;
    held.resolve();
    expect(await outcome).toBe('OK');
    expect(fixture.posted.length).toBe(posted + 1);
  });

  it('64 callers at two replicas post nothing', async () => {
    const webhook = await added();
    const callers = Array.from({ length: 64 }, async (_, n) => {
      for (;;) {
        const outcome = await outcomeOf(execute(webhook, replicaOf(fixture, n)));
        if (outcome !== 'OK') return outcome;
      }
    });
    await execute(webhook);
    await disable(webhook);
    const posted = fixture.posted.length;
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['UNAUTHORIZED']));
    expect(fixture.posted.length).toBe(posted);
  });
});

it('executions go on after the database was restored from an older backup than chat’s', async () => {
  const webhook = await added();
  fixture.fences.set(GUILD, 1_000_000);
  await execute(webhook);
  expect(fixture.fences.get(GUILD)).toBe(1_000_000);
  await disable(webhook);
  expect(fixture.fences.get(GUILD)).toBe(1_000_001);
});
