import { beforeAll, describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { CurrentUser } from '../support/objects.ts';
import { freshAddress } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import { PROXIED, useSharedStack } from '../support/stack.ts';
import { type CredentialSet, issueCredentials } from './credential-set.ts';

/** The kind of credential in a header, or nobody for an invalid one. */
type Subject = 'nobody' | 'session' | 'bot' | 'identify' | 'guilds';
type Outcome = 200 | 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'MISSING_OAUTH_SCOPE' | 'MISSING_ACCESS';

const stack = useSharedStack(PROXIED);
let kinds: CredentialSet;
beforeAll(async () => {
  kinds = await issueCredentials(stack);
});

/** An API client at an unused address, far from any limit. */
const visitor = (): Api => stack.api.from(freshAddress());

/** The outcomes of docs/credentials.md#authorization-outcomes for one route of each access. */
const PLACES: readonly [
  name: string,
  path: (of: CredentialSet, turn: number) => string,
  outcomes: Record<Subject, Outcome>,
][] = [
  [
    'a public route',
    () => '/auth/reset/unknown',
    { nobody: 200, session: 200, bot: 200, identify: 200, guilds: 200 },
  ],
  [
    'a route for users',
    () => '/auth/sessions',
    {
      nobody: 'UNAUTHORIZED',
      session: 200,
      bot: 'ACCESS_DENIED',
      identify: 'ACCESS_DENIED',
      guilds: 'ACCESS_DENIED',
    },
  ],
  [
    'a route for users and bots',
    ({ person }) => `/users/${person.user.id}`,
    { nobody: 'UNAUTHORIZED', session: 200, bot: 200, identify: 'ACCESS_DENIED', guilds: 'ACCESS_DENIED' },
  ],
  [
    'a route for bots only',
    () => '/gateway/bot',
    {
      nobody: 'UNAUTHORIZED',
      session: 'UNAUTHORIZED',
      bot: 200,
      identify: 'UNAUTHORIZED',
      guilds: 'UNAUTHORIZED',
    },
  ],
  [
    "a bot's application",
    () => '/applications/@me',
    {
      nobody: 'UNAUTHORIZED',
      session: 'UNAUTHORIZED',
      bot: 200,
      identify: 'UNAUTHORIZED',
      guilds: 'UNAUTHORIZED',
    },
  ],
  [
    'a route for the scope identify',
    () => '/users/@me',
    { nobody: 'UNAUTHORIZED', session: 200, bot: 200, identify: 200, guilds: 'MISSING_OAUTH_SCOPE' },
  ],
  [
    'a route for the scope guilds',
    ({ guild }) => `/guilds/${guild.id}`,
    {
      nobody: 'UNAUTHORIZED',
      session: 200,
      bot: 'MISSING_ACCESS', // it is not a member
      identify: 'MISSING_OAUTH_SCOPE',
      guilds: 200,
    },
  ],
  [
    "a webhook's own route",
    (of, turn) => tokenPath(of, turn % 3),
    { nobody: 200, session: 200, bot: 200, identify: 200, guilds: 200 },
  ],
];

/** Every credential value in every form of the header, with the subject that it authenticates. */
function headers(): readonly [name: string, header: string, stands: Subject][] {
  const { session, bot, identify, guilds, clientSecret, mailToken, dead } = kinds;
  const values: Record<string, string> = {
    session,
    bot,
    'access token': identify,
    'client secret': clientSecret,
    'webhook token': tokenOf(kinds, 0),
    'mail token': mailToken,
    'ended session': dead.session,
    'replaced bot token': dead.bot,
    'expired access token': dead.accessToken,
    'unknown session': `gth_${'A'.repeat(36)}`,
    'unknown bot': `${bot.split('.')[0]}.${'A'.repeat(43)}`,
    'unknown access token': 'A'.repeat(43),
  };
  const live = new Map<string, Subject>([
    [`Bearer ${session}`, 'session'],
    [session, 'session'],
    [`Bot ${bot}`, 'bot'],
    [`Bearer ${identify}`, 'identify'],
  ]);
  const forms: [string, (value: string) => string][] = [
    ['Bearer', (value) => `Bearer ${value}`],
    ['Bot', (value) => `Bot ${value}`],
    ['bare', (value) => value],
    ['bearer', (value) => `bearer ${value}`],
    ['BOT', (value) => `BOT ${value}`],
    ['two spaces', (value) => `Bearer  ${value}`],
    ['two spaces after Bot', (value) => `Bot  ${value}`],
    ['tab', (value) => `Bearer\t${value}`],
    ['twice', (value) => `Bearer Bearer ${value}`],
    ['Basic', (value) => `Basic ${btoa(`x:${value}`)}`],
    ['more', (value) => `Bearer ${value}x`],
    ['less', (value) => `Bearer ${value.slice(0, -1)}`],
  ];
  const all = Object.entries(values).flatMap(([kind, value]) =>
    forms.map(([form, write]): [string, string, Subject] => {
      const header = write(value);
      return [`${kind}, ${form}`, header, live.get(header) ?? 'nobody'];
    }),
  );
  return [['access token for guilds', `Bearer ${guilds}`, 'guilds'], ...all];
}

describe.each(PLACES)('every credential on %s', (_, path, outcomes) => {
  it('has the outcome of its kind; invalid ones get the response of a request without a credential', async () => {
    const nones = new Map<string, Reply>();
    for (const [turn, [name, header, stands]] of headers().entries()) {
      const target = path(kinds, turn);
      const none = nones.get(target) ?? (await visitor().get(target));
      nones.set(target, none);
      expectOutcome(none, outcomes.nobody, 'none');
      const reply = await visitor().as(header).get(target);
      expectOutcome(reply, outcomes[stands], name);
      if (stands === 'nobody') expectSame(reply, none, name);
    }
  });

  it('is ignored when there are two Authorization headers, even valid ones', async () => {
    const target = path(kinds, 0);
    const none = await raw(stack.url, request(`GET /api/v1${target}`, [from()]));
    const lines = [`Authorization: Bearer ${kinds.session}`, `Authorization: Bot ${kinds.bot}`];
    for (const second of lines) {
      const sent = request(`GET /api/v1${target}`, [from(), lines[0] ?? '', second]);
      expectSame(await raw(stack.url, sent), none, second);
    }
  });

  function from(): string {
    return `X-Forwarded-For: ${freshAddress()}`;
  }
});

describe('a credential of another kind', () => {
  const others = () => [
    kinds.session,
    kinds.bot,
    kinds.identify,
    kinds.clientSecret,
    kinds.mailToken,
    kinds.dead.session,
  ];

  it('is not accepted as a webhook token', async () => {
    const id = kinds.webhooks[3]?.id;
    const wrong = await visitor().get(`/webhooks/${id}/${'x'.repeat(64)}`);
    expectError(wrong, 401, 'UNAUTHORIZED');
    for (const other of others()) {
      for (const method of ['GET', 'POST']) {
        const sent = method === 'POST' ? { body: { content: 'x' } } : {};
        expectSame(await visitor().send(method, `/webhooks/${id}/${other}`, sent), wrong, other);
      }
    }
  });

  it('is not accepted as a mail token or ticket', async () => {
    const token = { token: 'INVALID_OR_EXPIRED_TOKEN' };
    const ticket = { ticket: 'INVALID_OR_EXPIRED_TICKET' };
    const password = 'a new password';
    for (const other of [...others().filter((one) => one !== kinds.mailToken), tokenOf(kinds, 0)]) {
      expect((await visitor().get(`/auth/reset/${other}`)).json()).toEqual({ valid: false });
      const form = (path: string, body: object) => visitor().post(path, body);
      const refused: [Reply, Record<string, string>][] = [
        [await form('/auth/reset', { token: other, password }), token],
        [await form('/auth/verify', { token: other }), token],
        [await form('/auth/authorize-ip', { token: other }), token],
        [await form('/auth/login/mfa/totp', { ticket: other, code: '123456' }), ticket],
        [await form('/auth/ip-authorization/resend', { ticket: other }), ticket],
        [await visitor().get(`/auth/ip-authorization/poll?ticket=${other}`), ticket],
      ];
      for (const [reply, entries] of refused) expectError(reply, 400, 'INVALID_FORM_BODY', entries);
    }
    const purposes = [
      await visitor().post('/auth/verify', { token: kinds.mailToken }),
      await visitor().post('/auth/authorize-ip', { token: kinds.mailToken }),
    ];
    for (const reply of purposes) expectError(reply, 400, 'INVALID_FORM_BODY', token);
  });
});

describe('an access token', () => {
  it('shows the user fields of its scopes, and never the account’s security settings', async () => {
    const me = async (token: string) =>
      (await visitor().as(`Bearer ${token}`).get('/users/@me')).json<CurrentUser>();
    const { user, email } = kinds.person;
    const seen = { ...user, mfa_enabled: false, authenticator_types: [], password_last_changed_at: null };
    expect(await me(kinds.identify)).toEqual({ ...seen, email: null });
    expect(await me(kinds.identifyEmail)).toEqual({ ...seen, email });
  });

  it('cannot change anything or prove sudo', async () => {
    const api = visitor().as(`Bearer ${kinds.identifyEmail}`);
    const { password } = kinds.person;
    const replies = [
      await api.send('PATCH', '/users/@me', { body: { bio: 'x' } }),
      await api.post('/auth/sudo', { password }),
      await api.post('/users/@me/delete', { password }),
      await api.post('/auth/logout'),
      await api.post('/guilds', { name: 'x' }),
      await api.get(`/guilds/${kinds.guild.id}/channels`),
    ];
    for (const reply of replies) expectError(reply, 403, 'ACCESS_DENIED');
  });
});

function tokenPath(of: CredentialSet, index: number): string {
  return `/webhooks/${of.webhooks[index]?.id}/${tokenOf(of, index)}`;
}

function tokenOf({ webhooks }: CredentialSet, index: number): string {
  const webhook = webhooks[index];
  if (webhook === undefined) throw new Error(`there is no webhook ${index}`);
  return webhook.token;
}

function expectOutcome(reply: Reply, outcome: Outcome, name: string): void {
  const actual = [name, reply.status, outcome === 200 ? 200 : reply.json<{ code: string }>().code];
  const status = outcome === 200 ? 200 : outcome === 'UNAUTHORIZED' ? 401 : 403;
  expect(actual, reply.text).toEqual([name, status, outcome]);
}

/** Expects identical responses, apart from request ID and date. */
function expectSame(reply: Reply, other: Reply, name: string): void {
  const comparable = ({ status, text, headers: all }: Reply) => ({
    status,
    text,
    headers: [...all].filter(([header]) => !['x-request-id', 'date'].includes(header)),
  });
  expect(comparable(reply), name).toEqual(comparable(other));
}
