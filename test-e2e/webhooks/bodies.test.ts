import { beforeAll, describe, expect, it } from 'vitest';
import { markLogs } from '../hostile/support/logs.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import { UNLIMITED, useSharedStack } from '../support/stack.ts';

const stack = useSharedStack(UNLIMITED);
let hook: WebhookFixture;
let errors: () => string[];
beforeAll(async () => {
  hook = await newWebhook(stack.api);
  errors = markLogs(stack.data_dir, (line) => /^\{"level":[56]0/.test(line));
});

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
/** Content types that do not matter: the body is read as JSON. */
const TYPES = [
  undefined,
  '',
  JSON_TYPE,
  'Application/JSON; Charset="UTF-8"',
  'application/json; charset=utf-16',
  'application/json; charset=latin1; charset=',
  'application/json;;=;"',
  'application/vnd.chat+json',
  'text/plain; charset=iso-8859-1',
  'application/octet-stream',
  'image/png',
  FORM,
  `${FORM}; charset=windows-1252`,
  ';;;',
  '/',
  `text/${'x'.repeat(4000)}`,
];
const MULTIPART = ['multipart/form-data', 'Multipart/Form-Data; boundary=x', 'multipart/mixed; boundary="'];

/** A payload for every route; each reads its own members. */
const PAYLOAD = JSON.stringify({
  content: 'a',
  text: 'a',
  ref: 'refs/heads/main',
  compare: 'https://a.example/compare',
  repository: { name: 'a', full_name: 'a/a' },
  commits: [{ id: 'a'.repeat(40), message: 'a' }],
  incident: { name: 'a' },
});
const NO_PAYLOAD = [
  '',
  '\0',
  PAYLOAD.slice(0, PAYLOAD.length / 2),
  `[${PAYLOAD}]`,
  Buffer.from(`\ufeff${PAYLOAD}`, 'utf16le'),
  '['.repeat(100_000),
];

interface Route {
  readonly suffix: string;
  /** The statuses for a valid and an invalid payload. */
  readonly taken: number;
  readonly refused: number;
}

const ROUTES: readonly Route[] = [
  { suffix: '', taken: 204, refused: 400 },
  { suffix: '/chatcompat', taken: 200, refused: 400 },
  { suffix: '/codehost', taken: 204, refused: 204 },
  { suffix: '/statuspage', taken: 204, refused: 204 },
];

async function send({ suffix }: Route, body: string | Uint8Array, type: string | undefined): Promise<number> {
  const headers = {
    'x-codehost-event': 'push',
    ...(type !== undefined && { 'content-type': type }),
  };
  // fetch would add a content type to a string.
  const reply = await stack.api.post(`${hook.path}${suffix}`, Buffer.from(body), headers);
  return reply.status;
}

describe.each(ROUTES)('POST /webhooks/{webhook_id}/{token}$suffix', (route) => {
  it('accepts a payload with any content type', async () => {
    const before = (await hook.messages())[0]?.id;
    const statuses = await Promise.all(TYPES.map((type) => send(route, PAYLOAD, type)));
    expect(statuses).toEqual(TYPES.map(() => route.taken));
    const messages = await hook.messages();
    const at = messages.findIndex(({ id }) => id === before);
    expect(at < 0 ? messages.length : at, 'each created a message').toBe(TYPES.length);
  });

  it('handles an invalid payload with any content type', async () => {
    for (const body of NO_PAYLOAD) {
      const statuses = await Promise.all(TYPES.map((type) => send(route, body, type)));
      expect(statuses, JSON.stringify(`${body}`.slice(0, 40))).toEqual(TYPES.map(() => route.refused));
    }
  });

  it('refuses multipart with any contents', async () => {
    for (const type of MULTIPART) expect(await send(route, PAYLOAD, type)).toBe(400);
  });

  if (route.suffix !== '') {
    it('accepts a form with the payload', async () => {
      const form = new URLSearchParams({ a: '1', payload: PAYLOAD, b: '{}' });
      for (const body of [`${form}`, `payload=${encodeURIComponent(PAYLOAD)}\n`])
        expect(await send(route, body, FORM)).toBe(route.taken);
    });
  }
});

it('no process has logged an error', () => {
  expect(errors()).toEqual([]);
});
