import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { CLOSE, OP } from '../gateway/support/codes.ts';
import { type Connection, openConnection } from '../gateway/support/connection.ts';
import { QUERY } from '../gateway/support/use-gateway.ts';
import type { Reply } from '../support/api.ts';
import { createBot, installBot } from '../support/bots.ts';
import { useDatabase } from '../support/database.ts';
import { join } from '../support/guilds.ts';
import type { SessionAnswer } from '../support/objects.ts';
import { createGuild, createWebhook, freshAddress, newcomer } from '../support/people.ts';
import { type TestStack, UNLIMITED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

/** Two stacks on one database act as two replicas of each service. */
const database = useDatabase();
const one = useStackInProcess({ ...UNLIMITED, CONSOLE_LOCAL_OPERATOR: 'yes' }, database);
const two = useStackInProcess(UNLIMITED, database);
const operator = new ConsoleApi(one);

const CALLERS = 64;
const ROUNDS = 3;
const OPEN = 32;

/** A call of a caller, by the clock of this process. */
interface Called {
  readonly kind: string;
  readonly began_ms: number;
  readonly ended_ms: number;
  readonly got_through: boolean;
  readonly said: string;
}

/** What the callers opened and were given. */
interface Gained {
  readonly connections: Connection[];
  /** Of the sessions that logins opened. */
  readonly tokens: string[];
  /** The kinds of calls that got through. */
  readonly kinds: Set<string>;
}

type Call = (at: TestStack) => Promise<{ readonly got_through: boolean; readonly said: string }>;

/** Repeats a call, without a pause, until `isOver` and once more after it. */
async function repeat(
  kind: string,
  call: () => ReturnType<Call>,
  isOver: () => boolean,
  { kinds }: Gained,
): Promise<Called[]> {
  const calls: Called[] = [];
  for (let is_last = false; !is_last; ) {
    is_last = isOver();
    const began_ms = performance.now();
    const result = await call();
    if (result.got_through) kinds.add(kind);
    calls.push({ kind, began_ms, ended_ms: performance.now(), ...result });
  }
  return calls;
}

const answered = ({ status, text }: Reply) => ({
  got_through: status < 400,
  said: `${status} ${text.slice(0, 100)}`,
});

/** Identifies on a new connection: READY, or the code of the close. */
async function tryIdentify({ url }: TestStack, token: string, { connections }: Gained): ReturnType<Call> {
  // Each message goes to all that are open: few are.
  if (connections.length >= OPEN) connections.shift()?.break();
  const connection = await openConnection(`${url.replace(/^http/, 'ws')}/gateway${QUERY}`, {
    headers: { 'x-forwarded-for': freshAddress() },
  });
  connections.push(connection);
  connection.send({ op: OP.IDENTIFY, d: { token, properties: {} } });
  const ready = () => connection.dispatches.some(({ t }) => t === 'READY');
  await until('READY or the end', 30_000, () => ready() || !connection.is_open || undefined);
  return { got_through: ready(), said: `close ${connection.ended()?.code}` };
}

/** An account with all that acts for it: a session, a bot, a webhook; and another member, who stays. */
async function flooder() {
  const witness = await newcomer(one.api);
  const guild = await createGuild(witness);
  const owner = await join(one.api, guild);
  const own = await createGuild(owner);
  const bot = await createBot(owner);
  await installBot(witness, guild.guild, bot, '2048');
  const { path } = await createWebhook(own, one.api);
  return { witness, guild, owner, bot, path, own };
}

function callsOf(
  { owner, bot, guild, path }: Awaited<ReturnType<typeof flooder>>,
  gained: Gained,
): readonly (readonly [string, Call])[] {
  const send = async (at: TestStack, method: string, to: string, body: unknown, authorization?: string) => {
    const api = at.api.from(freshAddress());
    const by = authorization === undefined ? api : api.as(authorization);
    const reply = await by.send(method, to, { body, checked: false });
    if (to === '/auth/login' && reply.status === 200) gained.tokens.push(reply.json<SessionAnswer>().token);
    return answered(reply);
  };
  const { email, password } = owner;
  const bearer = `Bearer ${owner.token}`;
  const messages = `/channels/${guild.channel.id}/messages`;
  return [
    ['login', (at) => send(at, 'POST', '/auth/login', { email, password })],
    ['token', (at) => send(at, 'GET', '/users/@me', undefined, bearer)],
    ['bot token', (at) => send(at, 'GET', '/users/@me', undefined, `Bot ${bot.token}`)],
    ['message', (at) => send(at, 'POST', messages, { content: 'flood' }, bearer)],
    ['message of the bot', (at) => send(at, 'POST', messages, { content: 'flood' }, `Bot ${bot.token}`)],
    ['webhook', (at) => send(at, 'POST', path, { content: 'flood' })],
    ['identify', (at) => tryIdentify(at, owner.token, gained)],
    ['identify of the bot', (at) => tryIdentify(at, bot.token, gained)],
  ];
}

describe('a suspension among 64 callers at two replicas', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'lets nothing through after its answer, round %i',
    async () => {
      const fixture = await flooder();
      const gained: Gained = { connections: [], tokens: [], kinds: new Set() };
      const { connections, tokens } = gained;
      const calls = callsOf(fixture, gained);
      let answered_ms = Number.POSITIVE_INFINITY;
      const isOver = () => answered_ms < Number.POSITIVE_INFINITY;
      const callers = Array.from({ length: CALLERS }, (_, n) => {
        const [kind, call] = calls[n % calls.length] ?? expect.unreachable();
        return repeat(kind, () => call((n >> 3) % 2 ? two : one), isOver, gained);
      });
      try {
        await expect.poll(() => gained.kinds.size, { interval: 10 }).toBe(calls.length);
        const suspended = await operator.ok<{ pending: string[] }>(
          'POST',
          `/accounts/${fixture.owner.user.id}/suspend`,
          { reason: 'A test of races.' },
        );
        expect(suspended.pending).toEqual([]);
      } finally {
        answered_ms = performance.now();
      }
      const called = (await Promise.all(callers)).flat();

      const late = called.filter(({ began_ms, got_through }) => got_through && began_ms > answered_ms);
      expect(late).toEqual([]);
      const kinds = new Set(called.filter(({ began_ms }) => began_ms > answered_ms).map(({ kind }) => kind));
      expect(kinds.size).toBe(calls.length);
      await expect.poll(() => connections.filter(({ is_open }) => is_open).length).toBe(0);
      const codes = new Set(connections.map((connection) => connection.ended()?.code));
      expect([...codes]).toEqual([CLOSE.AUTHENTICATION_FAILED]);
      for (const token of tokens)
        for (const { api } of [one, two])
          expect((await api.from(freshAddress()).as(`Bearer ${token}`).get('/users/@me')).status).toBe(401);
    },
  );
});
