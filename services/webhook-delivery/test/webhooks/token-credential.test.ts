import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  credentialOf,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
let another: Webhook;
beforeAll(async () => {
  fixture = await startWebhookDelivery('token_credential');
  webhook = await addWebhook(fixture);
  another = await addWebhook(fixture);
});
afterAll(() => fixture.close());

interface Credential {
  readonly webhook_id: string;
  readonly token: string;
}
interface SentRequest {
  readonly body: Uint8Array;
  readonly content_type: string | null;
  readonly message_id: string;
}
type Call = (credential: Credential, sent: SentRequest, options: ReturnType<typeof as>) => Promise<unknown>;

/** Every RPC with a credential in the path. */
const RPCS: Readonly<Record<string, Call>> = {
  getTokenWebhook: (credential, _, options) => fixture.client.getTokenWebhook(credential, options),
  updateTokenWebhook: (credential, { body, content_type }, options) =>
    fixture.client.updateTokenWebhook({ ...credential, body, content_type }, options),
  deleteTokenWebhook: (credential, _, options) => fixture.client.deleteTokenWebhook(credential, options),
  executeWebhook: (credential, { body, content_type }, options) =>
    fixture.client.executeWebhook({ ...credential, body, content_type }, options),
  executeChatcompat: (credential, { body, content_type }, options) =>
    fixture.client.executeChatcompat({ ...credential, body, content_type }, options),
  executeCodehost: (credential, { body, content_type }, options) =>
    fixture.client.executeCodehost({ ...credential, body, content_type }, options),
  executeStatuspage: (credential, { body, content_type }, options) =>
    fixture.client.executeStatuspage({ ...credential, body, content_type }, options),
  getWebhookMessage: (credential, { message_id }, options) =>
    fixture.client.getWebhookMessage({ ...credential, message_id }, options),
  updateWebhookMessage: (credential, { body, content_type, message_id }, options) =>
    fixture.client.updateWebhookMessage({ ...credential, message_id, body, content_type }, options),
  deleteWebhookMessage: (credential, { message_id }, options) =>
    fixture.client.deleteWebhookMessage({ ...credential, message_id }, options),
};
const NAMES = Object.keys(RPCS);
const call = (name: string, credential: Credential, sent: SentRequest, options = as('')) =>
  RPCS[name]?.(credential, sent, options) ?? Promise.reject(new Error(`there is no ${name}`));

const BROKEN: SentRequest = {
  body: Buffer.from('{broken'),
  content_type: 'multipart/form-data',
  message_id: 'x',
};

/** Wrong tokens that resemble the right one. */
function wrongTokens({ token }: Webhook): string[] {
  const last = token.endsWith('A') ? 'B' : 'A';
  const first = token.startsWith('A') ? 'B' : 'A';
  return [
    `${token.slice(0, -1)}${last}`,
    `${first}${token.slice(1)}`,
    token.slice(1),
    token.slice(0, -1),
    `${token}A`,
    `${token}${token}`,
    ` ${token}`,
    `${token}\n`,
    `${token}\u0000`,
    token.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    [...token].reverse().join('').replace(/^./, '-'),
    `${token.slice(0, -1)}ａ`,
    '🔑'.repeat(64),
    '\u0000',
    '\ud800',
    '',
    'null',
    'undefined',
    'x'.repeat(100_000),
  ];
}

describe.each(NAMES)('%s', (name) => {
  it('checks the webhook first, then the token, and then the rest', async () => {
    const unknown = { webhook_id: '1'.repeat(18), token: 'A'.repeat(64) };
    expect(await reasonOf(call(name, unknown, BROKEN))).toBe('NOT_FOUND');
    const wrong = { webhook_id: webhook.id, token: 'A'.repeat(64) };
    expect(await reasonOf(call(name, wrong, BROKEN))).toBe('UNAUTHORIZED');
  });

  it('accepts no other token', async () => {
    for (const token of wrongTokens(webhook)) {
      const credential = { webhook_id: webhook.id, token };
      expect([token, await reasonOf(call(name, credential, BROKEN))]).toEqual([token, 'UNAUTHORIZED']);
    }
    const { token } = another;
    expect(await reasonOf(call(name, { webhook_id: webhook.id, token }, BROKEN))).toBe('UNAUTHORIZED');
  });

  it('accepts tokens of one length only', async () => {
    const lengths = Array.from({ length: 130 }, (_, length) => length);
    const reasons = await Promise.all(
      lengths.map((length) =>
        reasonOf(call(name, { webhook_id: webhook.id, token: 'a'.repeat(length) }, BROKEN)),
      ),
    );
    expect(new Set(reasons)).toEqual(new Set(['UNAUTHORIZED']));
  });

  it('does not accept managers of the webhook without the token', async () => {
    const credential = { webhook_id: webhook.id, token: 'A'.repeat(64) };
    expect(await reasonOf(call(name, credential, BROKEN, as(MANAGER)))).toBe('UNAUTHORIZED');
  });

  it.each([
    '',
    'x',
    '0x1',
    '-1',
    '01',
    ' 1',
    '9223372036854775808',
    '1'.repeat(1000),
    '1;DROP TABLE webhooks',
  ])('refuses "%.20s" as an ID', async (webhook_id) => {
    expect(await refusalOf(call(name, { webhook_id, token: webhook.token }, BROKEN))).toEqual([
      'INVALID_FORM_BODY',
      'webhook_id INVALID_SNOWFLAKE_FORMAT',
    ]);
  });
});

describe('with the right token', () => {
  it.each(NAMES.filter((name) => !name.startsWith('get') && !name.startsWith('delete')))(
    '%s refuses any multipart body',
    async (name) => {
      for (const content_type of [
        'multipart/form-data; boundary=x',
        'Multipart/Form-Data',
        ' multipart/mixed',
      ]) {
        const sent = { body: bodyOf({ name: 'x', content: 'x', text: 'x' }), content_type, message_id: '1' };
        expect(await refusalOf(call(name, credentialOf(webhook), sent))).toEqual([
          'INVALID_FORM_BODY',
          'body INVALID_FORMAT',
        ]);
      }
    },
  );

  it.each(['getWebhookMessage', 'updateWebhookMessage', 'deleteWebhookMessage'])(
    '%s reports the malformed ID of the message',
    async (name) => {
      expect(await refusalOf(call(name, credentialOf(webhook), BROKEN))).toEqual([
        'INVALID_FORM_BODY',
        'message_id INVALID_SNOWFLAKE_FORMAT',
      ]);
    },
  );

  it('an invalid body is refused for any value of wait', async () => {
    for (const wait of ['true', 'false', 'x']) {
      const request = { ...credentialOf(webhook), body: Buffer.from('['), wait };
      expect(await reasonOf(fixture.client.executeWebhook(request, anonymous))).toBe('INVALID_FORM_BODY');
    }
  });
});

it('executions that share a statement are checked against their own credentials', async () => {
  const sent = { body: bodyOf({ content: 'x' }), content_type: null, message_id: '1' };
  const calls = Array.from({ length: 60 }, (_, n) => {
    const credential = credentialOf(webhook);
    if (n % 3 === 0) return call('executeWebhook', credential, sent).then(() => 'posted');
    const wrong = n % 3 === 1 ? { webhook_id: `${n}` } : { token: 'x' };
    return reasonOf(call('executeWebhook', { ...credential, ...wrong }, sent));
  });
  const expected = calls.map((_, n) => ['posted', 'NOT_FOUND', 'UNAUTHORIZED'][n % 3]);
  expect(await Promise.all(calls)).toEqual(expected);
});
