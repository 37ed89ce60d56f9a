import { beforeAll, describe, expect, it } from 'vitest';
import { markLogs } from './hostile/support/logs.ts';
import { type Hook, newHook } from './support/people.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';
import { ODD, SOUND } from './webhook-bodies/bodies.ts';

const suite = useSharedSuite(UNLIMITED);
let hook: Hook;
let errors: () => string[];
beforeAll(async () => {
  hook = await newHook(suite.api);
  errors = markLogs(suite.data_dir, (line) => /^\{"level":[56]0/.test(line));
});

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
/** Under most of them a body is read as JSON all the same. */
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
/** Those that a reader of bodies could treat as different. */
const FEW_TYPES = [undefined, JSON_TYPE, 'application/json; charset=utf-16', 'text/plain', FORM, ';;;'];
const MULTIPART = ['multipart/form-data', 'Multipart/Form-Data; boundary=x', 'multipart/mixed; boundary="'];

interface Route {
  readonly suffix: string;
  /** The status when the body is taken, and what else a body can end in. */
  readonly taken: number;
  readonly refused: readonly number[];
}

const ROUTES: readonly Route[] = [
  { suffix: '', taken: 204, refused: [400] },
  { suffix: '/chatcompat', taken: 200, refused: [400] },
  { suffix: '/codehost', taken: 204, refused: [] },
  { suffix: '/statuspage', taken: 204, refused: [] },
];

async function send({ suffix }: Route, body: string | Uint8Array, type: string | undefined): Promise<number> {
  const headers = {
    'x-codehost-event': 'push',
    ...(type !== undefined && { 'content-type': type }),
  };
  // A string would be given a content type where there is to be none.
  const reply = await suite.api.post(`${hook.path}${suffix}`, Buffer.from(body), headers);
  return reply.status;
}

describe.each(ROUTES)('POST /webhooks/{webhook_id}/{token}$suffix', (route) => {
  it.each(SOUND)('takes a payload with %s, under any content type', async (_, body) => {
    const before = (await hook.messages())[0]?.id;
    const statuses = await Promise.all(TYPES.map((type) => send(route, body, type)));
    expect(statuses).toEqual(TYPES.map(() => route.taken));
    const messages = await hook.messages();
    const at = messages.findIndex(({ id }) => id === before);
    expect(at < 0 ? messages.length : at, 'each made a message').toBe(TYPES.length);
  });

  it.each(ODD)('answers %s, under any content type', async (_, body) => {
    const statuses = await Promise.all(FEW_TYPES.map((type) => send(route, body, type)));
    for (const [index, status] of statuses.entries())
      expect([route.taken, ...route.refused], FEW_TYPES[index]).toContain(status);
  });

  it('refuses multipart, whatever it holds', async () => {
    const bodies = [...SOUND, ...ODD].map(([, body]) => body);
    for (const type of MULTIPART) {
      const statuses = await Promise.all(bodies.map((body) => send(route, body, type)));
      expect(statuses).toEqual(bodies.map(() => 400));
    }
  });

  if (route.suffix !== '') {
    it('takes a form that holds the payload', async () => {
      const forms = SOUND.map(([, body]) => new URLSearchParams({ a: '1', payload: `${body}`, b: '{}' }));
      const curlPost = SOUND.map(([, body]) => `payload=${encodeURIComponent(`${body}`)}\n`);
      for (const form of [...forms.map(String), ...curlPost])
        expect(await send(route, form, FORM)).toBe(route.taken);
    });
  }
});

it('and whatever was sent, no process has logged an error', () => {
  expect(errors()).toEqual([]);
});
