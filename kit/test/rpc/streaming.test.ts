import { setTimeout as delay } from 'node:timers/promises';
import { testCertificates } from '@gatehouse/dev-env/certificates';
import { faultOf } from '@gatehouse/dev-env/faults';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { Fault, invalidForm, Status } from '../../src/fault.ts';
import { createLogger } from '../../src/log.ts';
import { anonymous, type Call, implement } from '../../src/rpc.ts';
import { CountDefinition, type EchoMessage } from '../support/echo-definition.ts';
import {
  atEnd,
  type CountHandler,
  client,
  type EchoConnection,
  type StartOptions,
  start,
  text,
} from '../support/echo-service.ts';

const serve = (count: CountHandler, options: StartOptions = {}) =>
  start((request) => request, { count, ...options });

/** Yields the numbers from 0 up to the requested one. */
const counting: CountHandler = async function* ({ value }) {
  for (let next = 0; next < Number(value); next++) yield text(String(next));
};

/** Yields nothing until the test ends it. */
const silent: CountHandler = async function* (_, { signal }) {
  await aborted(signal);
  yield* [];
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

async function valuesOf(stream: AsyncIterable<EchoMessage>, into: EchoMessage['value'][] = []) {
  for await (const { value } of stream) into.push(value);
  return into;
}

const nextOf = async (stream: AsyncIterable<EchoMessage>) => stream[Symbol.asyncIterator]().next();

describe.each(['stream', 'unary', 'direct'] as const)(
  'a stream of responses, beside calls by %s',
  (transport) => {
    const connect = (address: string): EchoConnection['client'] => client(address, transport).client;

    it('yields all messages in order, from none to long ones', async () => {
      const { address } = await serve(async function* (request) {
        yield* counting(request, {} as Call);
        yield text('x'.repeat(3_000_000));
      });
      const numbers = Array.from({ length: 5000 }, (_, index) => String(index));
      expect(await valuesOf(connect(address).count(text('5000')))).toEqual([
        ...numbers,
        'x'.repeat(3_000_000),
      ]);
      const empty = await serve(counting);
      expect(await valuesOf(connect(empty.address).count(text('0')))).toEqual([]);
    });

    it('passes caller, request ID and deadline, if any, to the handler', async () => {
      const seen: Call[] = [];
      const { address } = await serve(async function* (request, call) {
        seen.push(call);
        yield request;
      });
      const caller = { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: '42' };
      const echo = connect(address);
      await valuesOf(echo.count(text('x'), { caller, requestId: 'r-1', timeoutMs: 5000 }));
      await valuesOf(echo.count(text('x')));
      const [first, second] = seen;
      expect(first).toMatchObject({ caller, requestId: 'r-1' });
      expect((first?.due_ms ?? 0) - performance.now()).toBeLessThanOrEqual(5000);
      expect(second).toMatchObject({ caller: anonymous, due_ms: Number.POSITIVE_INFINITY });
    });

    it('blocks the handler while the client does not read, and continues when it does', async () => {
      const long = 'x'.repeat(16 * 1024);
      let given = 0;
      const { address } = await serve(async function* () {
        for (; given < 2000; given++) yield text(long);
      });
      const stream = connect(address).count(text(''))[Symbol.asyncIterator]();
      await stream.next();
      let before = -1;
      while (given !== before) {
        before = given;
        await delay(200);
      }
      expect(given * long.length).toBeLessThan(2_000_000); // of 32 MB
      for (let read = 1; read < 2000; read++) expect((await stream.next()).value).toEqual(text(long));
      expect(await stream.next()).toMatchObject({ done: true });
      expect(given).toBe(2000);
    });

    it('ends at the server when the client leaves early', async () => {
      const ended = Promise.withResolvers<string>();
      const { address } = await serve(async function* (_, { signal }) {
        try {
          for (let next = 0; ; next++) {
            yield text(String(next));
            if (next === 2) await aborted(signal);
          }
        } finally {
          ended.resolve('ended');
        }
      });
      for await (const { value } of connect(address).count(text(''))) if (value === '2') break;
      expect(await ended.promise).toBe('ended');
    });

    it('ends when the client’s signal aborts, even while it waits', async () => {
      const ended = Promise.withResolvers<void>();
      const { address } = await serve(async function* (_, { signal }) {
        yield text('first');
        await aborted(signal);
        ended.resolve();
      });
      const controller = new AbortController();
      const stream = connect(address).count(text(''), { signal: controller.signal })[Symbol.asyncIterator]();
      await stream.next();
      const waiting = stream.next();
      controller.abort();
      expect(await faultOf(waiting)).toMatchObject({ status: Status.CANCELLED });
      await ended.promise;
      const again = connect(address).count(text(''), { signal: controller.signal });
      expect(await faultOf(nextOf(again))).toMatchObject({ status: Status.CANCELLED });
    });

    it('ends at its deadline, if it has one', async () => {
      const { address } = await serve(silent);
      const stream = connect(address).count(text(''), { timeoutMs: 100 });
      expect(await faultOf(nextOf(stream))).toMatchObject({ status: Status.DEADLINE_EXCEEDED });
    });

    it('carries a fault in the middle, after the messages before it', async () => {
      const violations = [{ path: 'a.b', code: 'BAD', message: 'é' }];
      const { address } = await serve(async function* () {
        yield text('one');
        yield text('two');
        throw invalidForm(violations);
      });
      const got: EchoMessage['value'][] = [];
      const fault = await faultOf(valuesOf(connect(address).count(text('')), got));
      expect(got).toEqual(['one', 'two']);
      expect(fault).toMatchObject({
        status: Status.INVALID_ARGUMENT,
        reason: 'INVALID_FORM_BODY',
        violations,
      });
    });

    it.each<[string, CountHandler]>([
      [
        'at once',
        () => {
          throw new Error('a secret');
        },
      ],
      [
        'later',
        async function* (request) {
          yield request;
          throw new Error('a secret');
        },
      ],
    ])('reveals nothing of an unauthored error, thrown %s', async (_, count) => {
      const { address } = await serve(count);
      const fault = await faultOf(valuesOf(connect(address).count(text(''))));
      expect(fault).toMatchObject({ status: Status.INTERNAL, reason: 'INTERNAL_SERVER_ERROR' });
      expect(`${fault.message} ${fault.cause ?? ''}`).not.toContain('secret');
    });

    it('is ended by a stopping server, which does not wait for it', async () => {
      const { address, close } = await serve(async function* (request, { signal }) {
        yield request;
        await aborted(signal);
      });
      const stream = connect(address).count(text('x'))[Symbol.asyncIterator]();
      await stream.next();
      const ended = faultOf(stream.next());
      const startedAt = performance.now();
      await close();
      expect(performance.now() - startedAt).toBeLessThan(4000); // otherwise it is cut off after 8 s
      expect(await ended).toMatchObject({ status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' });
    });

    it('fails midway when its server is lost, and its client may use another', async () => {
      const going = async (answer: string) =>
        serve(async function* (_, { signal }) {
          yield text(answer);
          await aborted(signal);
        });
      const [one, other] = [await going('one'), await going('other')];
      const echo = connect(`${one.address},${other.address}`);
      const stream = echo.count(text(''))[Symbol.asyncIterator]();
      const first = (await stream.next()).value?.value;
      const ended = faultOf(stream.next());
      await (first === 'one' ? one : other).close();
      expect(await ended).toMatchObject({ status: Status.UNAVAILABLE });
      const rest = first === 'one' ? 'other' : 'one';
      for (const _ of [1, 2, 3]) expect((await nextOf(echo.count(text('')))).value).toEqual(text(rest));
    });
  },
);

it('uses the replica that is up', async () => {
  const { address } = await serve(counting);
  const { client: echo } = client(`127.0.0.1:1,${address}`, 'unary');
  for (const _ of [1, 2, 3, 4]) expect(await valuesOf(echo.count(text('2')))).toEqual(['0', '1']);
  const nobody = client('127.0.0.1:1').client;
  expect(await faultOf(valuesOf(nobody.count(text('2'))))).toMatchObject({ status: Status.UNAVAILABLE });
});

it('is served only to peers with access', async () => {
  const made = await testCertificates('echo', 'caller', 'other');
  atEnd(() => made.close());
  const path = '/kit.v1.Json/Count';
  const seen: Call[] = [];
  const { address } = await serve(
    async function* (request, call) {
      seen.push(call);
      yield* counting(request, call);
    },
    {
      tls: {
        certificates: made.open('echo'),
        peers: {
          allows: (peer, asked) => peer === 'caller' && asked === path,
          mayActForCallers: () => false,
        },
      },
    },
  );
  const calling = (name: string) =>
    client(address, 'stream', { tls: { certificates: made.open(name), peer: 'echo' } }).client;
  const caller = { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: '42' };
  expect(await valuesOf(calling('caller').count(text('2'), { caller }))).toEqual(['0', '1']);
  expect(seen.map((call) => call.caller)).toEqual([anonymous]);
  expect(await faultOf(valuesOf(calling('other').count(text('2'))))).toMatchObject({
    status: Status.INTERNAL,
  });
  expect(seen).toHaveLength(1);
});

it('has a log line with its status when it has ended', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  const { address } = await serve(
    async function* (request, call) {
      if (request.value === 'fault')
        throw new Fault({ status: Status.OUT_OF_RANGE, reason: 'OVER', message: 'x' });
      if (request.value === 'error') throw new Error('broken');
      yield* counting(request, call);
    },
    { log },
  );
  const { client: echo } = client(address);
  await valuesOf(echo.count(text('2'), { requestId: 'r-1' }));
  await faultOf(valuesOf(echo.count(text('fault'))));
  await faultOf(valuesOf(echo.count(text('error'))));
  const written = () => lines.filter(({ msg }) => msg === 'rpc');
  await expect
    .poll(written)
    .toMatchObject([
      { rpc: '/kit.v1.Json/Count', request_id: 'r-1', status: Status.OK },
      { status: Status.OUT_OF_RANGE },
      { status: Status.INTERNAL, err: { message: 'broken' } },
    ]);
});

it('is not a method of the call stream', () => {
  const { methods, streams } = implement(CountDefinition, {
    say: (request) => request,
    again: (request) => request,
    count: counting,
  });
  expect(methods.map(({ path }) => path)).toEqual(['/kit.v1.Json/Say', '/kit.v1.Json/Again']);
  expect(streams.map(({ path }) => path)).toEqual(['/kit.v1.Json/Count']);
  // @ts-expect-error a handler is missing
  expect(() => implement(CountDefinition, { say: (request) => request })).toThrow('no handler for again');
});
