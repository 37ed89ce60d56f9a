import { type TestCertificates, testCertificates } from '@gatehouse/dev-env/certificates';
import { faultOf } from '@gatehouse/dev-env/faults';
import { freePort } from '@gatehouse/dev-env/free-port';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault, invalidForm, Status } from '../../src/fault.ts';
import { anonymous, type Call, type ClientTls, type ServerTls } from '../../src/rpc.ts';
import * as echoService from '../support/echo-service.ts';
import { atEnd, type LinkKind, text } from '../support/echo-service.ts';
import { LOOPBACK } from '../support/loopback.ts';

const parentCall = (call: Partial<Call>): Call => call as Call;

const everything = { allows: () => true, mayActForCallers: () => true };

describe.each([
  ['stream', 'plaintext'],
  ['stream', 'mutual TLS'],
  ['unary', 'plaintext'],
  ['unary', 'mutual TLS'],
  ['direct', 'no connection'],
] as const)('rpc: %s, with %s', (transport, security) => {
  let certificates: TestCertificates;
  let serverTls: ServerTls | undefined;
  let tls: ClientTls | undefined;
  beforeAll(async () => {
    certificates = await testCertificates('echo', 'caller');
    if (security !== 'mutual TLS') return;
    serverTls = { certificates: certificates.open('echo'), peers: everything };
    tls = { certificates: certificates.open('caller'), peer: 'echo' };
  });
  afterAll(() => certificates.close());

  const start = (say: echoService.EchoHandler, options: echoService.StartOptions = {}) =>
    echoService.start(say, { tls: serverTls, ...options });
  const client = (address: string, kind: LinkKind) => echoService.client(address, kind, { tls });

  it('carries requests and responses completely, from empty to megabytes, many at once', async () => {
    const server = await start((request) => request);
    const { client: echo } = client(server.address, transport);
    const values = ['', 'é𝕏', 'a'.repeat(65_530), 'b'.repeat(70_000), 'c'.repeat(3_000_000)];
    const many = [...values, ...Array.from({ length: 500 }, (_, index) => String(index))];
    const answers = await Promise.all(many.map((value) => echo.say(text(value), { timeoutMs: 20_000 })));
    expect(answers.map((answer) => answer.value)).toEqual(many);
  });

  it('passes caller, request ID and deadline to the handler', async () => {
    let seen: Call | undefined;
    const server = await start((request, call) => {
      seen = call;
      return request;
    });
    const caller = {
      ...anonymous,
      kind: CallerKind.CALLER_KIND_SESSION,
      account_id: '42',
      scopes: ['a', 'b'],
    };
    await client(server.address, transport).client.say(text('x'), {
      timeoutMs: 5000,
      caller,
      requestId: 'r-1',
    });
    expect(seen?.caller).toEqual(caller);
    expect(seen?.requestId).toBe('r-1');
    expect((seen?.due_ms ?? 0) - performance.now()).toBeGreaterThan(3000);
    expect((seen?.due_ms ?? 0) - performance.now()).toBeLessThanOrEqual(5000);
  });

  it.each<[string, Partial<Caller>]>([
    ['an account that is not an ID', { account_id: '4x' }],
    ['an account beyond all IDs', { account_id: '9223372036854775808' }],
    ['a credential that is not an ID', { credential_id: 'a\0b' }],
    ['an application that is not an ID', { application_id: '01' }],
    ['a NUL in its address', { ip: '192.0.2.1\0' }],
    ['a NUL in its User-Agent', { user_agent: 'a\0b' }],
  ])('treats a caller with %s as anonymous', async (_, changes) => {
    let seen: Call | undefined;
    const server = await start((request, call) => {
      seen = call;
      return request;
    });
    const kind = CallerKind.CALLER_KIND_SESSION;
    const caller = { ...anonymous, kind, account_id: '42', credential_id: '43', ...changes };
    await client(server.address, transport).client.say(text('x'), { timeoutMs: 5000, caller });
    expect(seen?.caller).toEqual(anonymous);
  });

  it('passes on the caller and request ID of the parent call, and the shorter deadline', async () => {
    let seen: Call | undefined;
    const server = await start((request, call) => {
      seen = call;
      return request;
    });
    const outer = parentCall({
      caller: { ...anonymous, account_id: '7' },
      requestId: 'outer',
      due_ms: performance.now() + 20_000,
    });
    await client(server.address, transport).client.say(text('x'), { timeoutMs: 60_000, parent: outer });
    expect(seen?.caller.account_id).toBe('7');
    expect(seen?.requestId).toBe('outer');
    expect(seen?.due_ms).toBeLessThanOrEqual(performance.now() + 20_000);
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('keeps its deadlines when the system clock is set %s meanwhile', async (_, step_ms) => {
    const timeOfDay = Date.now;
    atEnd(() => {
      Date.now = timeOfDay;
    });
    let left_ms = 0;
    const inner = await start((request, { due_ms }) => {
      left_ms = due_ms - performance.now();
      return request;
    });
    const { client: nested } = client(inner.address, transport);
    const outer = await start((request, call) => {
      Date.now = () => timeOfDay() + step_ms;
      return nested.say(request, { timeoutMs: 60_000, parent: call });
    });
    const { client: echo } = client(outer.address, transport);
    expect(await echo.say(text('x'), { timeoutMs: 20_000 })).toEqual(text('x'));
    expect(left_ms).toBeGreaterThan(0);
    expect(left_ms).toBeLessThanOrEqual(20_000);
  });

  it('carries an authored fault with reason, violations and members', async () => {
    const violations = [{ path: 'embeds.0.title', code: 'STRING_LENGTH_INVALID', message: 'Too long.' }];
    const server = await start((request) => {
      if (request.value === 'form') throw invalidForm(violations);
      throw new Fault({
        status: Status.PERMISSION_DENIED,
        reason: 'SUDO_MODE_REQUIRED',
        message: 'Prove it.',
        members: { has_mfa: true, methods: { totp: false } },
      });
    });
    const { client: echo } = client(server.address, transport);
    const form = await faultOf(echo.say(text('form'), { timeoutMs: 5000 }));
    expect(form).toMatchObject({ status: Status.INVALID_ARGUMENT, reason: 'INVALID_FORM_BODY', violations });
    const sudo = await faultOf(echo.say(text(''), { timeoutMs: 5000 }));
    expect(sudo).toMatchObject({
      reason: 'SUDO_MODE_REQUIRED',
      message: 'Prove it.',
      members: { has_mfa: true, methods: { totp: false } },
    });
  });

  it('carries a fault with a malformed text, and continues', async () => {
    const server = await start(() => {
      throw new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message: 'half of \ud83d' });
    });
    const { client: echo } = client(server.address, transport);
    for (let n = 0; n < 2; n++) {
      const fault = await faultOf(echo.say(text(''), { timeoutMs: 5000 }));
      expect(fault).toMatchObject({ reason: 'BAD_REQUEST', message: 'half of \ufffd' });
    }
  });

  it('carries the first of very many violations, and continues', async () => {
    const violations = Array.from({ length: 5000 }, (_, index) => ({
      path: `embeds.${index}.title`,
      code: 'STRING_LENGTH_INVALID',
      message: 'Must be between 1 and 256 characters long.',
    }));
    const server = await start((request) => {
      if (request.value === 'form') throw invalidForm(violations);
      return request;
    });
    const { client: echo } = client(server.address, transport);
    const fault = await faultOf(echo.say(text('form'), { timeoutMs: 5000 }));
    expect(fault.reason).toBe('INVALID_FORM_BODY');
    expect(fault.violations.length).toBeGreaterThan(300);
    expect(fault.violations).toEqual(violations.slice(0, fault.violations.length));
    expect(await echo.say(text('x'), { timeoutMs: 5000 })).toEqual(text('x'));
  });

  it('reveals nothing of an unexpected error', async () => {
    const server = await start(() => {
      throw new Error('password=hunter2');
    });
    const fault = await faultOf(client(server.address, transport).client.say(text(''), { timeoutMs: 5000 }));
    expect(fault).toMatchObject({ status: Status.INTERNAL, reason: 'INTERNAL_SERVER_ERROR' });
    expect(`${fault.message}${JSON.stringify(fault.members)}`).not.toContain('hunter2');
  });

  it('ends a call at its deadline, and aborts the handler', async () => {
    const aborted = Promise.withResolvers<void>();
    const server = await start(async (request, call) => {
      if (request.value !== 'held') return request;
      call.signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
      return request;
    });
    const { client: echo } = client(server.address, transport);
    await echo.say(text('first'), { timeoutMs: 20_000 }); // so that the next call spends no time on connecting
    const fault = await faultOf(echo.say(text('held'), { timeoutMs: 500 }));
    expect(fault).toMatchObject({ status: Status.DEADLINE_EXCEEDED, reason: 'GATEWAY_TIMEOUT' });
    await aborted.promise;
  });

  it('cancels a call when its signal aborts, and aborts the handler', async () => {
    const aborted = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const server = await start(async (request, call) => {
      call.signal.addEventListener('abort', () => aborted.resolve());
      entered.resolve();
      await aborted.promise;
      return request;
    });
    const controller = new AbortController();
    const { client: echo } = client(server.address, transport);
    const fault = faultOf(echo.say(text(''), { timeoutMs: 20_000, signal: controller.signal }));
    await entered.promise;
    controller.abort();
    expect((await fault).status).toBe(Status.CANCELLED);
    await aborted.promise;
  });

  it.each(['answered', 'failed', 'given up'])(
    'notifies a handler when a call that is %s is over',
    async (end) => {
      const entered = Promise.withResolvers<void>();
      const sent = Promise.withResolvers<void>();
      const server = await start(async (request, call) => {
        call.whenSent(sent.resolve);
        entered.resolve();
        if (end === 'failed') throw new Error('unforeseen');
        if (end === 'given up')
          await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
        return request;
      });
      const controller = new AbortController();
      const { client: echo } = client(server.address, transport);
      const answer = echo.say(text('x'), { timeoutMs: 20_000, signal: controller.signal });
      await entered.promise;
      if (end === 'given up') controller.abort();
      await (end === 'answered' ? answer : faultOf(answer));
      await sent.promise;
    },
  );

  it('refuses a request that cannot be decoded', async () => {
    const server = await start((request) => request);
    const encoded = Uint8Array.of(0xff, 0xff, 0xff);
    const { client: echo } = client(server.address, transport);
    const fault = await faultOf(echo.say(text(''), { timeoutMs: 5000, encoded }));
    expect(fault.status).toBe(Status.INVALID_ARGUMENT);
  });

  it('is UNAVAILABLE at once without a server, and works when there is one again', async () => {
    const address = `${LOOPBACK}:${await freePort()}`;
    const first = await start((request) => request, { address });
    const { client: echo } = client(address, transport);
    await echo.say(text('1'), { timeoutMs: 5000 });
    await first.close();
    const fault = await faultOf(echo.say(text('2'), { timeoutMs: 5000 }));
    expect(fault).toMatchObject({ status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' });
    await start((request) => request, { address });
    await expect
      .poll(() => echo.say(text('3'), { timeoutMs: 1000 }).catch(() => undefined))
      .toEqual(text('3'));
  });

  it('finishes open calls on close, and takes no new ones', async () => {
    const release = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const server = await start(async (request) => {
      entered.resolve();
      await release.promise;
      return request;
    });
    const { client: echo } = client(server.address, transport);
    const answer = echo.say(text('kept'), { timeoutMs: 20_000 });
    await entered.promise;
    const closed = server.close();
    await expect
      .poll(() => faultOf(echo.say(text('late'), { timeoutMs: 500 })).then((fault) => fault.status))
      .toBe(Status.UNAVAILABLE);
    release.resolve();
    expect(await answer).toEqual(text('kept'));
    await closed;
  });

  it('repeats only idempotent calls on another replica', async () => {
    const lost = await start((request) => request);
    const kept = await start((request) => request);
    const { client: echo } = client(`${lost.address},${kept.address}`, transport);
    await Promise.all(Array.from({ length: 8 }, () => echo.say(text('warm'), { timeoutMs: 5000 })));
    await lost.close();
    const again = await Promise.all(
      Array.from({ length: 40 }, () => echo.again(text('a'), { timeoutMs: 5000 })),
    );
    expect(again).toHaveLength(40);
  });

  it('spreads calls over replicas, the least busy first', async () => {
    const counts = [0, 0];
    const release = Promise.withResolvers<void>();
    const servers = await Promise.all(
      counts.map((_, index) =>
        start(async (request) => {
          counts[index] = (counts[index] ?? 0) + 1;
          if (counts[0] === 50 && counts[1] === 50) release.resolve();
          await release.promise;
          return request;
        }),
      ),
    );
    const { client: echo } = client(servers.map((server) => server.address).join(','), transport);
    await Promise.all(Array.from({ length: 100 }, () => echo.say(text('x'), { timeoutMs: 20_000 })));
    expect(counts).toEqual([50, 50]);
  });

  it('answers health checks until it closes', async () => {
    const server = await start((request) => request);
    const connection = client(server.address, transport);
    expect(await connection.healthy(2000)).toBe(true);
    await server.close();
    expect(await connection.healthy(500)).toBe(false);
  });
});
