import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import { newcomer, newWebhook, type WebhookFixture } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi, type ConsoleReply, type LogLine } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const local = new ConsoleApi(stack);

let fixture: WebhookFixture;
let application: { id: string };
let ada: ConsoleApi;
let bob: ConsoleApi;
beforeAll(async () => {
  fixture = await newWebhook(stack.api);
  application = await expectOk(fixture.owner.api.post('/oauth2/applications', { name: 'Contested' }));
  const tokenOf = async (name: string) =>
    (await local.ok<{ token: string }>('POST', '/operators', { name, role: 'admin', with_token: true }))
      .token;
  ada = new ConsoleApi(stack, await tokenOf('ada'));
  bob = new ConsoleApi(stack, await tokenOf('bob'));
});

const ROUNDS = 6;

/** Both operators act at once, several times. Returns the answers and the lines of the target. */
async function contest(
  path: string,
  verbs: readonly [string, string],
  target: string,
): Promise<{ statuses: number[]; lines: LogLine[] }> {
  const answers = await Promise.all(
    Array.from({ length: ROUNDS }, (_, round) =>
      [ada, bob].map((operator, index) =>
        operator.send('POST', `${path}/${verbs[(round + index) % 2]}`, {
          reason: `round ${round}, ${index}`,
        }),
      ),
    ).flat(),
  );
  const lines = (await local.log()).filter((line) => line.target === target);
  return { statuses: answers.map(({ status }) => status), lines };
}

/** Who keeps the target out of use, and why; "in use" if nobody does. */
function stateOf(value: unknown): string {
  const { suspension, disablement } = value as Record<string, { operator: string; reason: string } | null>; // a view
  const cause = suspension ?? disablement;
  return cause == null ? 'in use' : `${cause.operator}: ${cause.reason}`;
}

/** Each change begins where another one ended: nothing in the log happened twice, or never. */
function expectChain(lines: readonly LogLine[], last: string): void {
  const begins = lines.map(({ before }) => stateOf(before));
  const ends = lines.map(({ after }) => stateOf(after));
  expect([...begins, last].toSorted()).toEqual(['in use', ...ends].toSorted());
}

describe('two operators at once', () => {
  it('on one account leave lines that form a chain, and the state of its end', async () => {
    const { owner } = await newWebhook(stack.api);
    const { id } = owner.user;
    const contested = await contest(`/accounts/${id}`, ['suspend', 'restore'], `account:${id}`);
    const lines = contested.lines.filter(({ outcome }) => outcome === 'done');
    expect(lines).toHaveLength(contested.statuses.filter((status) => status === 200).length);
    // Nobody overwrites the reason of the other one.
    const refused = contested.lines.filter(({ outcome }) => outcome !== 'done');
    expect(refused).toHaveLength(contested.statuses.filter((status) => status === 400).length);
    expect(lines.length + refused.length).toBe(contested.statuses.length);
    for (const { outcome } of refused) expect(outcome).toContain('failed: ALREADY_SUSPENDED: ');
    const { account } = await local.ok<{ account: object }>('GET', `/accounts/${id}`);
    expectChain(lines, stateOf(account));
    // The sessions ended with the first suspension, and only once.
    const ended = lines.map(({ detail }) => (detail as { ended_sessions?: number }).ended_sessions ?? 0);
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await owner.api.get('/users/@me')).status).toBe(401);
  });

  it.each([
    ['guild', () => fixture.guild.id],
    ['webhook', () => fixture.webhook.id],
    ['application', () => application.id],
  ] as const)('on one %s, too', async (noun, idOf) => {
    const id = idOf();
    const path = `/${noun}s/${id}`;
    const { statuses, lines } = await contest(path, ['disable', 'enable'], `${noun}:${id}`);
    expect(statuses).toEqual(statuses.map(() => 200));
    const page = await local.ok<Record<string, object>>('GET', path);
    expectChain(lines, stateOf(page[noun]));
  });
});

describe('an override', () => {
  const identity = () => `account:${fixture.owner.user.id}`;
  const soon = () => Date.now() + 600_000;
  const set = (operator: ConsoleApi, more: object): Promise<ConsoleReply> =>
    operator.send('PUT', '/limits/overrides', {
      identity: identity(),
      expires_at_ms: soon(),
      reason: 'A test.',
      ...more,
    });
  const end = (operator: ConsoleApi): Promise<ConsoleReply> =>
    operator.send('DELETE', '/limits/overrides', { identity: identity(), reason: 'Enough.' });
  const held = async () => {
    const { items } = await local.ok<{ items: { identity: string; limit?: number }[] }>(
      'GET',
      '/limits/overrides',
    );
    return items.filter((one) => one.identity === identity());
  };

  it('that another operator ends meanwhile is ended once; the other end changes nothing', async () => {
    expect((await set(ada, { exempt: true })).status).toBe(200);
    const ends = await Promise.all([ada, bob, ada, bob].map(end));
    expect(ends.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const lines = (await local.log()).filter(
      ({ action, target }) => action === 'limit.remove-override' && target === `limit:${identity()}`,
    );
    expect(lines.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done']);
    expect(lines.filter(({ before }) => before !== null)).toMatchObject([
      { before: { operator: 'ada', exempt: true } },
    ]);
    expect(await held()).toEqual([]);
  });

  it('that both set is the one of the last, and each line has the one before', async () => {
    const limits = Array.from({ length: 8 }, (_, index) => 100 + index);
    const answers = await Promise.all(
      limits.map((limit, index) => set(index % 2 === 0 ? ada : bob, { limit, window_seconds: 60 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(limits.map(() => 200));
    const lines = (await local.log()).slice(-limits.length);
    const limitOf = (value: unknown) => (value as { limit?: number } | null)?.limit ?? 0;
    const [last] = await held();
    expect([...lines.map(({ before }) => limitOf(before)), limitOf(last)].toSorted()).toEqual(
      [0, ...lines.map(({ after }) => limitOf(after))].toSorted(),
    );
    await end(ada);
  });

  it.each<[string, object]>([
    ['an end in the past', { exempt: true, expires_at_ms: Date.now() - 1 }],
    ['an end at the epoch', { exempt: true, expires_at_ms: 0 }],
    ['no end', { exempt: true, expires_at_ms: null }],
    ['an end as text', { exempt: true, expires_at_ms: '2999-01-01' }],
    ['an end in seconds', { exempt: true, expires_at_ms: Math.floor(Date.now() / 1000) + 600 }],
    ['an end that no clock reaches', { exempt: true, expires_at_ms: Number.MAX_SAFE_INTEGER }],
    ['an end past all integers', { exempt: true, expires_at_ms: 1e300 }],
    ['a window of 0', { limit: 5, window_seconds: 0 }],
    ['a window above a day', { limit: 5, window_seconds: 86_401 }],
    ['no window', { limit: 5 }],
    ['a limit of 0', { limit: 0, window_seconds: 60 }],
    ['a limit of -1', { limit: -1, window_seconds: 60 }],
    ['half a limit', { limit: 0.5, window_seconds: 60 }],
    ['a limit above 32 bits', { limit: 2 ** 32, window_seconds: 60 }],
    ['a limit that no bucket counts exactly', { limit: 2 ** 32 - 1, window_seconds: 86_400 }],
    ['a limit and an exemption', { limit: 5, window_seconds: 60, exempt: true }],
    ['neither', {}],
    ['a bucket that does not exist', { exempt: true, bucket: '__proto__' }],
    ['an identity of 513 characters', { exempt: true, identity: 'x'.repeat(513) }],
    ['an identity of spaces', { exempt: true, identity: '  ' }],
  ])('with %s is refused', async (_, more) => {
    const reply = await set(ada, more);
    expect([reply.status, reply.text]).toEqual([
      expect.toBeOneOf([400, 404]),
      expect.stringContaining('"code"'),
    ]);
    expect(await held()).toEqual([]);
  });

  it('takes a reason of 512 characters, whatever their size', async () => {
    const reason = '🦊'.repeat(512);
    expect((await set(ada, { exempt: true, reason })).status).toBe(200);
    expect(await held()).toMatchObject([{ reason }]);
    expect((await end(bob)).status).toBe(200);
  });

  it('is that of the identity without spaces around it', async () => {
    expect((await set(ada, { exempt: true, identity: ` ${identity()}\n` })).status).toBe(200);
    expect(await held()).toHaveLength(1);
    expect((await end(bob)).status).toBe(200);
    expect((await local.log()).at(-1)).toMatchObject({
      target: `limit:${identity()}`,
      before: { exempt: true },
    });
  });

  it('is what the account gets, until another operator ends it', async () => {
    const person = await newcomer(stack.api);
    const named = { identity: `account:${person.user.id}`, bucket: 'guild:create', reason: 'A test.' };
    const create = async () => (await person.api.post('/guilds', { name: 'Bounded' })).status;
    await ada.ok('PUT', '/limits/overrides', {
      ...named,
      limit: 1,
      window_seconds: 3_600,
      expires_at_ms: soon(),
    });
    expect([await create(), await create()]).toEqual([200, 429]);
    await bob.ok('DELETE', '/limits/overrides', named);
    expect(await create()).toBe(200);
  });
});
