import { unavailable } from '@gatehouse/kit/fault';
import { BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity, isCaller, type KeyPart } from '../../src/limit/identity.ts';
import type { RequestContext } from '../../src/request-context.ts';
import type { KeyChoice } from '../../src/route.ts';
import { ROUTES } from '../../src/routes/index.ts';
import { isLimitedByBody } from '../../src/steps/body-keyed-limits.ts';
import { anonymous } from '../../src/steps/identify.ts';
import { earlyLimit } from '../../src/steps/limit.ts';
import { type Edge, startEdge, steps, useEdge } from '../support/edge.ts';
import type { Answer } from '../support/http.ts';
import { type Answers, charged, checks, SESSION } from '../support/peers.ts';
import { routeFor } from '../support/routes.ts';

const session = { headers: { authorization: `Bearer ${SESSION}` } };
const dead = { headers: { authorization: `Bearer gth_${'x'.repeat(36)}` } };
const LIVE = { identity: { account_id: '1001', credential_id: '9001' } };
const ADMITTED = { denial: null, degraded: false };
const DENIED = { bucket: 'webhook:execute', limit: 60, retry_after_us: 1, empty_after_us: 1 };

const EXECUTE = 'POST /webhooks/41/tok';
const EARLY = [
  EXECUTE,
  'POST /webhooks/41/tok/chatcompat',
  'POST /webhooks/41/tok/codehost',
  'POST /webhooks/41/tok/statuspage',
  'GET /webhooks/41/tok/messages/31',
  'PATCH /webhooks/41/tok/messages/31',
  'DELETE /webhooks/41/tok/messages/31',
];

/** A row of each other kind, by the reason that its limits need the caller. */
const LATE: [why: string, line: string][] = [
  ['a bucket by account', 'POST /guilds'],
  ['a bucket by credential', 'GET /invites/abc'],
  ['the global bucket, before one by address', 'POST /auth/reset'],
  ['the global bucket, before one by resource', 'GET /webhooks/41/tok'],
  ['the global bucket alone', 'GET /gateway'],
  ['the global bucket of an unmatched request', 'POST /nothing/here'],
  ['its body', 'POST /auth/sudo'],
  ['a bucket by account, without the global one', 'POST /limited/by/account'],
];

describe('the buckets of a request', () => {
  const edge = useEdge({
    routes: [...ROUTES, { ...routeFor('guild:create', '/limited/by/account'), global_exempt: true }],
  });

  /** Holds Identify and Check until both have arrived. */
  function rendezvous(): Answers {
    const [identifies, limits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    return {
      auth: {
        identify: async () => {
          identifies.resolve();
          await limits.promise;
          return LIVE;
        },
      },
      ratelimit: {
        check: async () => {
          limits.resolve();
          await identifies.promise;
          return ADMITTED;
        },
      },
    };
  }

  it.each(EARLY)('are charged while the caller of %s is identified', async (line) => {
    edge.peers.answers = rendezvous();
    const { status } = await edge.send(line, { ...session, ...(line.startsWith('GET') ? {} : { body: {} }) });
    expect(status).toBeLessThan(500); // in turn, the first call would wait for the second until its deadline
    expect(steps(edge).slice(0, 2).sort()).toEqual(['check', 'identify']);
    expect(edge.peers.calls.at(-1)?.call.caller).toMatchObject({
      kind: CallerKind.CALLER_KIND_SESSION,
      account_id: '1001',
    });
  });

  it.each(LATE)('are charged after the caller is identified if there is %s: %s', async (_, line) => {
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    edge.peers.answers.auth = {
      identify: async () => {
        held.resolve();
        await release.promise;
        return LIVE;
      },
    };
    const sent = edge.send(line, session);
    await held.promise;
    // A check of the held request would arrive before this one, on the same stream.
    expect((await edge.send('GET /webhooks/42/tok')).status).toBe(200);
    expect(charged(edge.peers)).toEqual([['webhook:read webhook:42']]);
    release.resolve();
    await sent;
    expect(checks(edge.peers)).toHaveLength(2);
  });

  it('are charged early on exactly the exempt routes', () => {
    const early = ROUTES.filter((route) => !isLimitedByBody(route)).filter(
      (route) => earlyLimit(route, {} as Parameters<typeof earlyLimit>[1]) !== undefined,
    );
    expect(early).toEqual(ROUTES.filter(({ global_exempt }) => global_exempt));
    expect(early).toHaveLength(EARLY.length);
  });
});

describe('a request whose buckets are charged while its caller is identified', () => {
  const edge = useEdge();
  const execute = (options = session) => edge.send(EXECUTE, { ...options, body: {} });

  it('makes no look-up without a credential', async () => {
    await execute({ headers: {} as typeof session.headers });
    expect(steps(edge)).toEqual(['check', 'executeWebhook']);
  });

  it('is anonymous with a dead credential', async () => {
    expect((await execute(dead)).status).toBe(204);
    expect(charged(edge.peers)).toEqual([['webhook:execute webhook:41']]);
    expect(edge.peers.calls.at(-1)?.call.caller.kind).toBe(CallerKind.CALLER_KIND_UNSPECIFIED);
  });

  it.each([session, dead])('is 429 if a bucket denies, whoever the caller is', async (options) => {
    edge.peers.denial = DENIED;
    expect((await execute(options)).status).toBe(429);
    expect(steps(edge)).not.toContain('executeWebhook');
  });

  it('repeats a denial', async () => {
    const wait = { retry_after_us: 60_000_000, empty_after_us: 60_000_000 };
    edge.peers.denial = { ...DENIED, ...wait };
    const line = 'POST /webhooks/43/tok';
    for (let n = 0; n < 3; n++) expect((await edge.send(line, { ...session, body: {} })).status).toBe(429);
    expect(checks(edge.peers)).toHaveLength(1);
  });

  it.each([
    ['admits', undefined],
    ['denies', DENIED],
  ])('is 503, and counts, if its caller cannot be identified and ratelimit %s', async (_, denial) => {
    edge.peers.denial = denial;
    edge.peers.answers.auth = { identify: () => Promise.reject(unavailable(new Error('x'))) };
    expect((await execute()).status).toBe(503);
    await expect.poll(() => charged(edge.peers)).toEqual([['webhook:execute webhook:41']]);
    expect(steps(edge)).not.toContain('executeWebhook');
  });

  it('is 500 if ratelimit fails', async () => {
    edge.peers.answers.ratelimit = { check: () => Promise.reject(new Error('x')) };
    expect((await execute()).status).toBe(500);
  });
});

it('without auth, a request with a credential is 503, and counts only on routes that charge early', async () => {
  const edge = await startEdge();
  try {
    await edge.peers.stop('auth');
    expect((await edge.send('GET /webhooks/41/tok', session)).status).toBe(503);
    expect(checks(edge.peers)).toEqual([]);
    expect((await edge.send(EXECUTE, { ...session, body: {} })).status).toBe(503);
    await expect.poll(() => charged(edge.peers)).toEqual([['webhook:execute webhook:41']]);
    await edge.peers.stop('ratelimit');
    for (const line of [EXECUTE, 'GET /webhooks/41/tok'])
      expect((await edge.send(line, session)).status, line).toBe(503);
  } finally {
    await edge.close();
  }
});

describe('two edges that charge buckets while callers are identified', () => {
  let one: Edge;
  let two: Edge;
  beforeAll(async () => {
    one = await startEdge();
    two = await startEdge({ config: { addresses: one.peers.addresses } });
  });
  afterAll(async () => {
    await two.close();
    await one.close();
  });

  it('admit exactly the limit, with live, dead and no credentials', async () => {
    const rule = { name: 'webhook:execute', index: 0, ...rate(60, 60) };
    const store = new MemoryStore({ rules: [rule], max_buckets: 10, now_us: () => 1 });
    one.peers.answers.ratelimit = {
      check: ({ sets }) => {
        const check = sets.map(({ charges }) =>
          charges.map(({ identities }) => ({ rule, key: identities.join('|'), cost: 1 })),
        );
        const [denial] = store.decide([check]);
        if (denial === undefined) return ADMITTED;
        const { retry_after_us, empty_after_us } = denial;
        return { denial: { bucket: rule.name, limit: 60, retry_after_us, empty_after_us }, degraded: false };
      },
    };
    const kinds = [session, dead, {}];
    const send = (n: number): Promise<Answer> =>
      (n % 2 ? one : two).send(EXECUTE, { ...kinds[n % 3], body: {} });
    const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => send(n)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60);
    expect(one.peers.calls.filter(({ rpc }) => rpc === 'executeWebhook')).toHaveLength(60);
  });
});

describe('a part of a key', () => {
  const request = { params: { guild_id: '1', channel_id: '1', webhook_id: '1', application_id: '1' } };
  const context = { ip: '192.0.2.1', request: { ...request, headers: {} } } as unknown as RequestContext;
  const caller = anonymous(context);
  const live = { ...caller, kind: CallerKind.CALLER_KIND_SESSION, account_id: '1', credential_id: '2' };
  const parts = new Set<KeyPart | KeyChoice>(['client', 'ip', 'account']);
  for (const name of Object.keys(BUCKETS) as BucketName[])
    for (const part of BUCKETS[name].key) parts.add(part);
  parts.delete('client_ip_or_account'); // a route chooses one of the three

  it.each([...parts])('%s is the caller if a credential changes it', (part) => {
    const isChanged = identity(part, context, caller, 'x') !== identity(part, context, live, 'x');
    expect(isCaller(part)).toBe(isChanged);
  });
});
