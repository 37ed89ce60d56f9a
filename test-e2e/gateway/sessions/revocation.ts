import { describe, expect, it } from 'vitest';
import { type Api, withGlobalRetry } from '../../support/api.ts';
import { type Bot, newBot } from '../../support/bots.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { tokensMailed } from '../../support/mail.ts';
import type { Application, Session as ListedSession, SessionAnswer } from '../../support/objects.ts';
import { freshAddress, type Person, register } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { CLOSE, OP } from '../support/codes.ts';
import type { Session } from '../support/session.ts';
import { type Gateway, invalidSession } from '../support/use-gateway.ts';

/** Maximum time from the revocation to the close, in milliseconds: a second, and what a busy machine needs. */
const WITHIN_MS = 5_000;

/** An account with two sessions, each with a Gateway session. */
interface RevocationFixture {
  readonly person: Person;
  readonly home: Api;
  readonly first: Side;
  readonly second: Side;
}

interface Side {
  readonly api: Api;
  readonly token: string;
  readonly session: Session;
}

type End = 'first' | 'second' | 'both' | 'neither';

/** Every revocation of a credential closes its connections (docs/gateway.md#revocation). */
export function revocation(stack: TestStack, gateway: Gateway): void {
  async function openStage(): Promise<RevocationFixture> {
    const home = withGlobalRetry(stack.api.from(freshAddress()));
    const person = await register(home);
    const { email, password } = person;
    const login = await expectOk<SessionAnswer>(home.post('/auth/login', { email, password }));
    const side = async (token: string): Promise<Side> => ({
      token,
      api: home.as(`Bearer ${token}`),
      session: await gateway.identify(token),
    });
    return { person, home, first: await side(person.token), second: await side(login.token) };
  }

  /** Expects that a session ends with 4004 in time and can neither be resumed nor identified again. */
  async function expectEnded({ connection, token, session_id }: Session, from: number): Promise<void> {
    const { code } = await connection.closed();
    expect(code).toBe(CLOSE.AUTHENTICATION_FAILED);
    expect(performance.now() - from, 'in time').toBeLessThan(WITHIN_MS);
    await expectGone(token, session_id);
  }

  async function expectGone(token: string, session_id: string): Promise<void> {
    const again = await gateway.connect();
    again.send({ op: OP.RESUME, d: { token, session_id, seq: 1 } });
    expect(await invalidSession(again)).toBe(false);
    again.send({ op: OP.IDENTIFY, d: { token } });
    expect((await again.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);
  }

  /** Expects that a session receives events of its account. */
  async function expectAlive({ session, api }: Pick<Side, 'session' | 'api'>): Promise<void> {
    const { id } = await expectOk<{ id: string }>(api.post('/guilds', { name: 'Alive' }));
    await session.event<{ id: string }>('GUILD_CREATE', (guild) => guild.id === id);
  }

  const WAYS: [name: string, ends: End, act: (stage: RevocationFixture) => Promise<unknown>][] = [
    ['logging out', 'first', ({ first }) => expectNoContent(first.api.post('/auth/logout'))],
    [
      'the list of sessions',
      'first',
      async ({ first, second }) => {
        const listed = await expectOk<ListedSession[]>(first.api.get('/auth/sessions'));
        const session_id_hashes = listed.filter(({ current }) => current).map(({ id_hash }) => id_hash);
        return expectNoContent(second.api.post('/auth/sessions/logout', { session_id_hashes }));
      },
    ],
    [
      'ending all other sessions',
      'second',
      ({ first }) => expectNoContent(first.api.post('/auth/sessions/logout', { others: true })),
    ],
    [
      'ending all sessions',
      'both',
      ({ first }) => expectNoContent(first.api.post('/auth/sessions/logout', { all: true })),
    ],
    [
      'resetting the password',
      'both',
      async ({ person, home }) => {
        await expectNoContent(home.post('/auth/forgot', { email: person.email }));
        const [token] = await tokensMailed(stack.data_dir, person.email, 'reset');
        return expectOk(home.post('/auth/reset', { token, password: 'another-password' }));
      },
    ],
    [
      'a new password that ends other sessions',
      'second',
      ({ first, person: { password } }) =>
        expectOk(
          first.api.send('PATCH', '/users/@me', {
            body: { password, new_password: 'another-password', end_other_sessions: true },
          }),
        ),
    ],
    [
      'a new password that keeps other sessions',
      'neither',
      ({ first, person: { password } }) =>
        expectOk(
          first.api.send('PATCH', '/users/@me', { body: { password, new_password: 'another-password' } }),
        ),
    ],
    [
      'deleting the account',
      'both',
      ({ first, person: { password } }) => expectNoContent(first.api.post('/users/@me/delete', { password })),
    ],
  ];

  describe('a session of an account', () => {
    it.each(WAYS)('ends by %s: %s', async (_, ends, act) => {
      const stage = await openStage();
      await act(stage);
      const from = performance.now();
      const ended = (['first', 'second'] as const).filter((name) => ends === name || ends === 'both');
      await Promise.all(ended.map((name) => expectEnded(stage[name].session, from)));
      for (const name of ['first', 'second'] as const)
        if (ends !== name && ends !== 'both') await expectAlive(stage[name]);
    });

    it('ends with all its connections', async () => {
      const { first, second } = await openStage();
      const more = await gateway.identify(first.token);
      await expectNoContent(first.api.post('/auth/logout'));
      const from = performance.now();
      await expectEnded(first.session, from);
      expect((await more.connection.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);
      await expectAlive(second);
    });

    it('ends while it has no connection', async () => {
      const { first } = await openStage();
      first.session.connection.break();
      await expectNoContent(first.api.post('/auth/logout'));
      await expectGone(first.token, first.session.session_id);
    });

    it('ends after it was resumed', async () => {
      const { first } = await openStage();
      first.session.connection.break();
      const { session } = await gateway.resume(first.session, 1);
      await expectNoContent(first.api.post('/auth/logout'));
      await expectEnded(session, performance.now());
    });
  });

  describe('a bot’s session', () => {
    const WAYS: [name: string, act: (bot: Bot) => Promise<unknown>][] = [
      [
        'resetting its token',
        ({ id, owner }) =>
          expectOk(
            owner.api.post(`/oauth2/applications/${id}/bot/reset-token`, { password: owner.password }),
          ),
      ],
      ['deleting its application', (bot) => deleteApplication(bot)],
      [
        'deleting its owner’s account',
        ({ owner }) => expectNoContent(owner.api.post('/users/@me/delete', { password: owner.password })),
      ],
    ];

    async function deleteApplication({ id, owner }: Bot): Promise<void> {
      const body = { password: owner.password };
      const reply = await owner.api.send('DELETE', `/oauth2/applications/${id}`, { body });
      expect([200, 204], reply.text).toContain(reply.status);
    }

    it.each(WAYS)('ends by %s', async (_, act) => {
      const bot = await newBot(stack.api);
      const session = await gateway.identify(bot.token);
      const prefixed = await gateway.identify(`Bot ${bot.token}`);
      await act(bot);
      const from = performance.now();
      await expectEnded(session, from);
      expect((await prefixed.connection.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);
    });

    it('continues when its owner logs out, and when another bot’s token is reset', async () => {
      const bot = await newBot(stack.api);
      const session = await gateway.identify(bot.token);
      const other = await expectOk<Application>(
        bot.owner.api.post('/oauth2/applications', { name: 'Other' }),
      );
      const path = `/oauth2/applications/${other.id}/bot/reset-token`;
      await expectOk(bot.owner.api.post(path, { password: bot.owner.password }));
      await expectNoContent(bot.owner.api.post('/auth/logout'));
      await expectAlive({ session, api: bot.api });
    });
  });

  it('a revocation during Identify is not missed', async () => {
    const home = withGlobalRetry(stack.api.from(freshAddress()));
    const { email, password } = await register(home);
    for (let n = 0; n < 4; n += 1) {
      const { token } = await expectOk<SessionAnswer>(home.post('/auth/login', { email, password }));
      const connection = await gateway.connect();
      connection.send({ op: OP.IDENTIFY, d: { token } });
      await expectNoContent(home.as(`Bearer ${token}`).post('/auth/logout'));
      const from = performance.now();
      expect((await connection.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);
      expect(performance.now() - from).toBeLessThan(WITHIN_MS);
    }
  });
}
