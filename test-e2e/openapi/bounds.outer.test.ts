import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { expectOk } from '../support/expect-status.ts';
import { freshAddress, register } from '../support/people.ts';
import { UNLIMITED, useSharedStack } from '../support/stack.ts';
import { type Json, OPERATIONS } from './document.ts';
import { schemaProblems } from './document-schema.ts';

const stack = useSharedStack(UNLIMITED);
const CALLBACK = 'https://clock.example/callback';
let api: Api;
let application_id: string;

beforeAll(async () => {
  ({ api } = await register(stack.api.from(freshAddress())));
  const body = { name: 'Clock', redirect_uris: [CALLBACK] };
  application_id = (await expectOk<{ id: string }>(api.post('/oauth2/applications', body))).id;
});

/** A member of a request, the values at its bounds, and those just outside. */
interface Bounds {
  readonly operation: string;
  readonly member: string;
  /** The other members. */
  readonly beside?: () => Readonly<Record<string, Json>>;
  readonly valid: readonly Json[];
  readonly invalid: readonly Json[];
}

let names = 0;
const newName = () => `n${process.pid}_${Date.now()}_${names++}`;
const newAccount = () => ({
  email: `${newName()}@example.com`,
  username: newName(),
  password: 'correct horse battery staple',
});
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const long = (length: number) => 'x'.repeat(length);
const consent = () => ({ client_id: application_id, scope: 'identify', redirect_uri: CALLBACK });

const ACCOUNTS: readonly Bounds[] = [
  {
    operation: 'register',
    member: 'email',
    beside: newAccount,
    valid: [` ${newName()}@example.com `, `${newName()}@host`, `${newName().padEnd(64, 'x')}@a.example`],
    invalid: ['ann', 'ann@', `${long(65)}@a.example`, `ann@${long(64)}.example`, 'ann@-a.example', 'a b@c'],
  },
  {
    operation: 'register',
    member: 'username',
    beside: newAccount,
    valid: [newName().padEnd(32, '.')],
    invalid: ['', long(33), 'a b', 'ä'],
  },
  {
    operation: 'register',
    member: 'password',
    beside: newAccount,
    valid: [long(8), long(256), '        '],
    invalid: [long(7), long(257)],
  },
  {
    operation: 'register',
    member: 'global_name',
    beside: newAccount,
    valid: [null, long(32), ' Ann ', '👩‍👩‍👧'],
    invalid: ['', ' ', long(33), 'a\nb', 'a\u202eb'],
  },
  { operation: 'updateCurrentUser', member: 'bio', valid: [null, '', long(320)], invalid: [long(321), 1] },
  { operation: 'updateCurrentUser', member: 'pronouns', valid: [null, long(40)], invalid: [long(41)] },
  {
    operation: 'updateCurrentUser',
    member: 'accent_color',
    valid: [null, 0, 0xff_ff_ff],
    invalid: [-1, 0x1_00_00_00, 0.5, '1'],
  },
  {
    operation: 'updateCurrentUser',
    member: 'avatar',
    valid: [PNG, `data:image/png;base64,${PNG}`, null],
    invalid: ['', '%', 'data:image/png,x', 1],
  },
  {
    operation: 'endSessions',
    member: 'session_id_hashes',
    valid: [['x'], Array(1000).fill('x')],
    invalid: [null, [], 'x', Array(1001).fill('x')],
  },
  { operation: 'endSessions', member: 'others', valid: [true], invalid: [false, null, 'true'] },
];

const APPLICATIONS: readonly Bounds[] = [
  {
    operation: 'updateApplication',
    member: 'name',
    valid: [null, 'x', ` ${long(98)} `],
    invalid: ['', ' ', long(101), 'a\u0000b', 'a\u2066b'],
  },
  {
    operation: 'updateApplication',
    member: 'redirect_uris',
    valid: [
      null,
      [],
      Array(10).fill(CALLBACK),
      ['http://localhost', 'http://127.8.9.1:80?a=b', 'http://[::1]/%41', 'HTTPS://a.example/;x'],
      [CALLBACK],
    ],
    invalid: [
      CALLBACK,
      Array(11).fill(CALLBACK),
      ...[
        'http://a.example',
        'https://',
        'ftp://a.example',
        'https://u@a.example',
        'https://a.example/#x',
      ].map((uri) => [uri]),
      ...['https://a.example/ ', 'https://a.example/%4', `https://a.example/${long(2048)}`].map((uri) => [
        uri,
      ]),
    ],
  },
  {
    operation: 'updateBot',
    member: 'username',
    valid: [null, ` ${newName().padEnd(32, '_')} `],
    invalid: ['', ' ', long(33), 'a b'],
  },
  {
    operation: 'grantConsent',
    member: 'scope',
    beside: consent,
    valid: ['identify', ' email+identify  guilds ', 'bot connections'],
    invalid: ['', ' + ', 'admin', 'identify admin', 'Identify', null, 1],
  },
  {
    operation: 'grantConsent',
    member: 'client_id',
    beside: consent,
    valid: [],
    invalid: ['', 'x', '01', '-1', null, true],
  },
  {
    operation: 'grantConsent',
    member: 'code_challenge',
    beside: consent,
    valid: [null, '', 'x', '~'.repeat(128)],
    invalid: [long(129), 'a b', 'a+b'],
  },
  {
    operation: 'grantConsent',
    member: 'code_challenge_method',
    beside: () => ({ ...consent(), code_challenge: long(43) }),
    valid: [null, 'plain', 'S256'],
    invalid: ['s256', 'none', 1],
  },
  {
    operation: 'grantConsent',
    member: 'permissions',
    beside: consent,
    valid: [null, '0', '9'.repeat(40)],
    invalid: ['', '-1', '0x1', '1.0', 1],
  },
  {
    operation: 'revokeAuthorizations',
    member: 'application_ids',
    valid: [[]],
    invalid: [null, '1', ['x'], [1.5], Array(1001).fill('1')],
  },
];

describe('the bounds of openapi.json are those of the suite', () => {
  it.each([...ACCOUNTS, ...APPLICATIONS])(
    '$operation: $member',
    async ({ operation, member, beside, valid, invalid }) => {
      const place = OPERATIONS.get(operation);
      if (place === undefined) throw new Error(`the document has no operation ${operation}`);
      const path = place.path.replace('{application_id}', application_id);
      for (const value of [...valid, ...invalid]) {
        const body = { ...beside?.(), [member]: value };
        const { status, text } = await api.send(place.method.toUpperCase(), path, { body });
        const problems = schemaProblems(place, ['requestBody'], 'application/json', body);
        const what = `${JSON.stringify(value).slice(0, 80)}: ${status} ${text.slice(0, 200)} ${problems}`;
        expect({ suite: status < 300, schema: problems === '' }, what).toEqual(
          valid.includes(value) ? { suite: true, schema: true } : { suite: false, schema: false },
        );
        if (status >= 300) expect(status, what).toBe(400);
      }
    },
  );
});
