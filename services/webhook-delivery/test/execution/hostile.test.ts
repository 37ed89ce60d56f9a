import { createLogger } from '@gatehouse/kit/log';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { push, repository, sender } from '../codehost/codehost-fixtures.ts';
import {
  addWebhook,
  anonymous,
  as,
  bodyOf,
  CHANNEL,
  credentialOf,
  MANAGER,
  startWebhookDelivery,
  type WebhookDelivery,
} from '../start-webhook-delivery.ts';
import { outcomeOf } from '../support.ts';
import { FORM_TYPE, ODD_BODIES, VALID_BODIES } from './bodies.ts';

let fixture: WebhookDelivery;
let webhook: Webhook;
const logged: string[] = [];
beforeAll(async () => {
  const destination = { write: (line: string) => logged.push(line) };
  fixture = await startWebhookDelivery('hostile', {
    log: createLogger({ name: 'test', level: 'trace', destination }),
  });
  webhook = await addWebhook(fixture);
});
afterAll(() => fixture.close());

/** Sends a body to the four executions. Returns the outcome of each. */
async function executionOutcomes(body: Buffer, content_type?: string): Promise<string[]> {
  const request = { ...credentialOf(webhook), body, ...(content_type && { content_type }) };
  const calls = [
    fixture.client.executeWebhook({ ...request, wait: 'true' }, anonymous),
    fixture.client.executeChatcompat(request, anonymous),
    fixture.client.executeCodehost({ ...request, event: 'push', delivery: '' }, anonymous),
    fixture.client.executeStatuspage(request, anonymous),
  ];
  return Promise.all(calls.map(outcomeOf));
}

const AUTHORED = ['OK', 'INVALID_FORM_BODY', 'BAD_REQUEST', 'CANNOT_SEND_EMPTY_MESSAGE'];

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const deep = nested('[', ']', 100_000);
const deepObjects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const mebibyte = 'x'.repeat(1024 * 1024);
/** A body with these numbers in every numeric member. */
function numbered(...numbers: string[]): string {
  const all = numbers.map(
    (n) => `{"title":"x","color":${n},"ts":${n},"fields":[{"title":${n},"value":${n}}]}`,
  );
  const [n] = numbers;
  return `{"content":"x","flags":${n},"embeds":[${all}],"attachments":[${all}],"maintenance":{"name":"x","start":${n},"duration":${n},"created_at":${n}}}`;
}
const repositoryJson = JSON.stringify(repository);

describe('each execution accepts a payload', () => {
  it.each(VALID_BODIES)('with %s', async (_, body) => {
    const before = fixture.posted.length;
    expect(await executionOutcomes(Buffer.from(body))).toEqual(Array(4).fill('OK'));
    expect(fixture.posted.length - before).toBe(4);
  });

  it.each(VALID_BODIES)('with %s, in a form among other fields, except ExecuteWebhook', async (_, body) => {
    const form = new URLSearchParams({ a: '1', payload: `${body}`, b: '{}' });
    const [, ...accepted] = await executionOutcomes(Buffer.from(`${form}`), FORM_TYPE);
    expect(accepted).toEqual(Array(3).fill('OK'));
  });
});

describe('a hostile body gets an authored answer', () => {
  it.each<[name: string, body: string | Buffer]>([
    ['nothing', ''],
    ['NUL', '\u0000'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a byte order mark', '\ufeff{"content":"x","text":"x"}'],
    ['deep arrays', `{"content":"x","text":"x","embeds":${deep},"attachments":${deep},"commits":${deep}}`],
    ['deep objects', `{"content":${deepObjects},"text":${deepObjects},"repository":${deepObjects}}`],
    ['deep and broken', deep.slice(0, -1)],
    ['a NUL in a text', JSON.stringify({ content: 'a\u0000', text: 'a\u0000', ref: '\u0000', repository })],
    ['lone surrogates', '{"content":"\\ud800","text":"\\ud800","ref":"\\ud800"}'],
    ['__proto__', '{"__proto__":{"content":"x","text":"x"},"constructor":{"prototype":{}}}'],
    ['long texts', JSON.stringify({ content: mebibyte, text: mebibyte, username: mebibyte })],
    [
      'long parts',
      JSON.stringify({
        embeds: [{ title: mebibyte }],
        attachments: [{ title: mebibyte, ts: mebibyte, color: mebibyte, title_link: `https://${mebibyte}` }],
      }),
    ],
    [
      'a long push',
      `{"repository":${repositoryJson},"ref":"${mebibyte}","compare":"https://${mebibyte}","commits":[{"message":"${mebibyte}","id":"${mebibyte}"}]}`,
    ],
    [
      'a long incident',
      JSON.stringify({
        page: { url: `https://${mebibyte}`, status_indicator: mebibyte },
        incident: { name: mebibyte, status: mebibyte, incident_updates: [{ body: mebibyte }] },
      }),
    ],
    ['many updates', `{"incident":{"name":"x","incident_updates":[${'{},'.repeat(240_000)}{}]}}`],
    [
      'many components',
      `{"component":{},"maintenance":{"name":"x","components":[${'{"name":"y"},'.repeat(80_000)}{}]}}`,
    ],
    ['many embeds', `{"embeds":[${'{},'.repeat(300_000)}{}],"attachments":[${'{},'.repeat(300_000)}{}]}`],
    ['many fields', `{"embeds":[{"fields":[${'{},'.repeat(300_000)}{}]}]}`],
    [
      'many fields that cannot be stored',
      JSON.stringify({ attachments: [{ fields: Array(10_000).fill({ title: '\u0000', value: '\ud800' }) }] }),
    ],
    ['many commits', JSON.stringify({ ...push, repository, commits: Array(100_000).fill({ message: 'm' }) })],
    [
      'many mentions',
      JSON.stringify({ content: 'x', allowed_mentions: { users: Array(100_000).fill('1') } }),
    ],
    ['large numbers', '{"content":"x","flags":1e400,"attachments":[{"ts":1e400,"title":"x"}]}'],
    ['repeated members', '{"content":1,"content":"x","text":1,"text":"x"}'],
    ['large and small numbers', numbered('-1e400', '1e-400', '9007199254740993', '1e22', '-0', '0.1e1')],
    ...ODD_BODIES.map(([name, body]): [string, Buffer] => [name, Buffer.from(body)]),
  ])('%s', async (_, body) => {
    for (const reason of await executionOutcomes(Buffer.from(body))) expect(AUTHORED).toContain(reason);
    const form = Buffer.from(`payload=${encodeURIComponent(body.toString('utf8'))}`);
    const asForm = await executionOutcomes(form, FORM_TYPE);
    for (const reason of asForm) expect(AUTHORED).toContain(reason);
  });

  it('for any JSON', async () => {
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });
    const body = fc.record(
      Object.fromEntries(
        [
          'content',
          'embeds',
          'flags',
          'username',
          'allowed_mentions',
          'text',
          'attachments',
          'ref',
          'commits',
          'page',
          'incident',
          'maintenance',
          'component',
        ].map((name) => [name, value]),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, value), async (json) => {
        for (const reason of await executionOutcomes(bodyOf(json))) expect(AUTHORED).toContain(reason);
      }),
      { numRuns: 300 },
    );
  });
});

it('hostile names and pictures get an authored answer', async () => {
  for (const text of ['\u0000', mebibyte, '🚪'.repeat(100_000), 'A'.repeat(14 * 1024 * 1024)]) {
    expect(await created(text, undefined)).toBe('BAD_REQUEST');
    expect(await created('x', text)).toBe('BAD_REQUEST');
  }
});

function created(name: string, avatar: string | undefined): Promise<string> {
  const request = { channel_id: CHANNEL, name, ...(avatar !== undefined && { avatar }) };
  return outcomeOf(fixture.client.createWebhook(request, as(MANAGER)));
}

it('no hostile request is logged as an error', () => {
  expect(logged.join()).toContain('"level":30');
  expect(logged.join()).not.toMatch(/"level":[56]0/);
});

it('no log line contains a token or a body', async () => {
  const secret = 'a-planted-secret';
  const incident = { name: secret, url: `https://status.test/${secret}` };
  const delivery = { ...push, repository, sender, ref: `refs/heads/${secret}`, incident };
  await executionOutcomes(bodyOf({ ...delivery, content: secret, text: secret }));
  await executionOutcomes(
    bodyOf({ username: secret.repeat(9), content: [secret], text: 'x'.repeat(5000) + secret }),
  );
  await fixture.stopChat();
  const whileDown = await executionOutcomes(bodyOf({ ...delivery, content: secret, text: secret }));
  expect(whileDown).toEqual(Array(4).fill('SERVICE_UNAVAILABLE'));
  await fixture.close();
  expect(logged.join()).toContain('ExecuteWebhook');
  expect(logged.join()).not.toContain(secret);
  expect(logged.join()).not.toContain(webhook.token);
});
