import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { testCertificates } from '@gatehouse/dev-env/certificates';
import { NullableString } from '@gatehouse/proto/kit/json';
import { Client, credentials } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { Fault, Status } from '../../src/fault.ts';
import { createLogger } from '../../src/log.ts';
import { decodeFault } from '../../src/rpc/messages/fault-wire.ts';
import type { BidiResponses, Call } from '../../src/rpc.ts';
import type { EchoMessage } from '../support/echo-definition.ts';
import { atEnd, text } from '../support/echo-service.ts';
import {
  EchoSession,
  ending,
  openRawTalk,
  openTalk,
  plainClient,
  prefixed,
  type Stream,
  serveTalk,
  TALK,
} from '../support/talk.ts';

type Responses = BidiResponses<EchoMessage>;

/** Keeps its requests until the test answers them. */
class HoldingSession extends EchoSession {
  readonly held: EchoMessage[] = [];
  finished = false;

  override receive(requests: readonly EchoMessage[]): void {
    this.held.push(...requests);
  }

  override room(): number {
    return this.limit - this.held.length;
  }

  override finish(): void {
    this.finished = true;
  }

  /** Answers some of the held requests. */
  answer(count = this.held.length): void {
    for (const request of this.held.splice(0, count)) this.responses.send(request);
    this.responses.resume();
  }
}

/** Serves a session of this kind, and returns it once a client has opened a stream. */
async function serveHolding(limit = Number.POSITIVE_INFINITY) {
  const opened = Promise.withResolvers<{ session: HoldingSession; call: Call }>();
  const server = await serveTalk((responses, call) => {
    const session = new HoldingSession(responses);
    session.limit = limit;
    opened.resolve({ session, call });
    return session;
  });
  const stream = openTalk(server.address);
  return { server, stream, ...(await opened.promise) };
}

function written(stream: Stream, ...values: string[]): void {
  for (const value of values) stream.write(text(value));
}

describe('a stream in both directions', () => {
  it('answers all requests, short and long, and ends when the client does', async () => {
    const { address } = await serveTalk((responses) => new EchoSession(responses));
    const stream = openTalk(address);
    const values = Array.from({ length: 3000 }, (_, index) => String(index));
    const long = 'x'.repeat(200_000);
    written(stream, ...values, long, 'last');
    stream.end();
    expect(await ending(stream)).toEqual({ values: [...values, long, 'last'], error: undefined });
  });

  it('passes requests that arrive together to the session together', async () => {
    const sessions: EchoSession[] = [];
    const { address } = await serveTalk((responses) => {
      const session = new EchoSession(responses);
      sessions.push(session);
      return session;
    });
    const stream = openRawTalk(address);
    const messages = Array.from({ length: 1000 }, (_, index) => prefixed(text(String(index))));
    stream.end(Buffer.concat(messages));
    stream.resume();
    await once(stream, 'end');
    expect(sessions[0]?.batches.flat()).toHaveLength(1000);
    expect(sessions[0]?.batches.length).toBeLessThan(10);
  });

  it('reads no more requests than the session has room for', async () => {
    const { stream, session } = await serveHolding(10);
    written(stream, ...Array.from({ length: 35 }, (_, index) => String(index)));
    stream.end();
    const ended = ending(stream);
    for (const expected of [10, 10, 10, 5]) {
      expect(session.finished).toBe(false);
      await expect.poll(() => session.held.length).toBe(expected);
      session.answer();
    }
    await expect.poll(() => session.finished).toBe(true);
    session.responses.end();
    expect((await ended).values).toHaveLength(35);
  });

  it('stops reading the requests of a client that does not read its responses', async () => {
    const long = 'x'.repeat(10_000);
    let received = 0;
    class Counting extends EchoSession {
      override receive(requests: readonly EchoMessage[]): void {
        received += requests.length;
        super.receive(requests);
      }
    }
    const { address } = await serveTalk((responses) => new Counting(responses));
    const stream = openRawTalk(address);
    stream.pause();
    const sent = pipeline(Readable.from(Array.from({ length: 3000 }, () => prefixed(text(long)))), stream);
    let before = -1;
    while (received === 0 || received !== before) {
      before = received;
      await delay(200);
    }
    expect(received * long.length).toBeLessThan(1_000_000); // of 30 MB
    stream.resume();
    await Promise.all([sent, once(stream, 'end')]);
    expect(received).toBe(3000);
  });

  it('answers what it has read when the server stops, and ends with UNAVAILABLE', async () => {
    const { server, stream, session } = await serveHolding();
    written(stream, 'a', 'b');
    const ended = ending(stream);
    await expect.poll(() => session.held.length).toBe(2);
    const closed = server.close();
    await expect.poll(() => session.finished).toBe(true);
    written(stream, 'too late');
    session.answer();
    session.responses.end();
    expect(await ended).toMatchObject({ values: ['a', 'b'], error: { code: Status.UNAVAILABLE } });
    await closed;
    expect(session.held).toEqual([]);
  });

  it('tells the session when the client cancels', async () => {
    const { stream, session, call } = await serveHolding();
    written(stream, 'a');
    await expect.poll(() => session.held.length).toBe(1);
    stream.cancel();
    await expect.poll(() => call.signal.aborted).toBe(true);
    session.answer(); // has no effect
  });

  it('ends with DEADLINE_EXCEEDED at the deadline of the call, if it has one', async () => {
    const { address } = await serveTalk((responses) => new HoldingSession(responses));
    const same = (bytes: Buffer): Buffer => bytes;
    const stream = plainClient(address).makeBidiStreamRequest(TALK, same, same, {
      deadline: Date.now() + 200,
    });
    stream.resume();
    const error = await new Promise((resolve) => stream.on('error', resolve));
    expect(error).toMatchObject({ code: Status.DEADLINE_EXCEEDED });
  });

  it.each<[string, (responses: Responses) => EchoSession]>([
    [
      'by the handler',
      () => {
        throw new Error('a secret');
      },
    ],
    [
      'by the session',
      (responses) =>
        Object.assign(new EchoSession(responses), {
          receive: () => {
            throw new Error('a secret');
          },
        }),
    ],
    [
      'later',
      (responses) =>
        Object.assign(new EchoSession(responses), {
          receive: () => setImmediate(() => responses.fail(new Error('a secret'))),
        }),
    ],
  ])('reveals nothing of an unauthored error, thrown %s', async (_, open) => {
    const { address } = await serveTalk(open);
    const stream = openTalk(address);
    written(stream, 'a');
    const { error } = await ending(stream);
    expect(error).toMatchObject({ code: Status.INTERNAL });
    expect(error?.details).not.toContain('secret');
  });

  it('carries a fault after the responses before it', async () => {
    const { address } = await serveTalk((responses) =>
      Object.assign(new EchoSession(responses), {
        receive: ([request]: readonly EchoMessage[]) => {
          if (request !== undefined) responses.send(request);
          responses.fail(new Fault({ status: Status.OUT_OF_RANGE, reason: 'OVER', message: 'é' }));
        },
      }),
    );
    const stream = openTalk(address);
    written(stream, 'a');
    const { values, error } = await ending(stream);
    expect(values).toEqual(['a']);
    const [details] = error?.metadata.get('grpc-status-details-bin') ?? [];
    expect(decodeFault(error?.code ?? 0, details as Buffer)).toMatchObject({ reason: 'OVER', message: 'é' });
  });

  it('ends with BAD_REQUEST after a request that cannot be decoded', async () => {
    const { address } = await serveTalk((responses) => new EchoSession(responses));
    const same = (bytes: Buffer): Buffer => bytes;
    const stream = plainClient(address).makeBidiStreamRequest(TALK, same, same);
    stream.write(Buffer.from(NullableString.encode(text('a')).finish()));
    await new Promise((resolve) => stream.once('data', resolve));
    stream.write(Buffer.from([0xff]));
    const error = await new Promise((resolve) => stream.on('error', resolve));
    expect(error).toMatchObject({ code: Status.INVALID_ARGUMENT });
  });

  it.each([
    ['compressed', Buffer.from([1, 0, 0, 0, 1, 0]), Status.UNIMPLEMENTED],
    ['longer than 256 KiB', Buffer.from([0, 0, 4, 0, 1]), Status.RESOURCE_EXHAUSTED],
    ['cut short by the end of the stream', Buffer.from([0, 0, 0, 0, 9, 10]), Status.INVALID_ARGUMENT],
    ['no message at all', randomBytes(10_000).fill(0xff, 0, 1), Status.UNIMPLEMENTED],
  ])('ends with an error after a request that is %s', async (_, bytes, code) => {
    const { address } = await serveTalk((responses) => new EchoSession(responses));
    const stream = openRawTalk(address);
    const trailers = once(stream, 'trailers');
    stream.resume();
    stream.write(prefixed(text('a')));
    await once(stream, 'data');
    stream.end(bytes);
    const [last] = await trailers;
    expect(last).toMatchObject({ 'grpc-status': String(code) });
  });

  it('is served only to peers with access', async () => {
    const made = await testCertificates('echo', 'caller', 'other');
    atEnd(() => made.close());
    const peers = { allows: (peer: string, asked: string) => peer === 'caller' && asked === TALK };
    const { address } = await serveTalk((responses) => new EchoSession(responses), {
      tls: { certificates: made.open('echo'), peers: { ...peers, mayActForCallers: () => false } },
    });
    const open = (name: string): Stream => {
      const { ca, key, cert } = made.files(name);
      const [root, own, chain] = [ca, key, cert].map((file) => readFileSync(file));
      const client = new Client(address, credentials.createSsl(root, own, chain), {
        'grpc.ssl_target_name_override': 'echo.test.internal',
      });
      atEnd(() => client.close());
      return openTalk(address, client);
    };
    const allowed = open('caller');
    written(allowed, 'a');
    allowed.end();
    expect(await ending(allowed)).toEqual({ values: ['a'], error: undefined });
    expect((await ending(open('other'))).error).toMatchObject({ code: Status.PERMISSION_DENIED });
  });

  it('has a log line with its status when it has ended', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger({
      name: 'test',
      level: 'debug',
      destination: { write: (line: string) => lines.push(JSON.parse(line)) },
    });
    const { address } = await serveTalk((responses) => new EchoSession(responses), { log });
    const ended = openTalk(address);
    ended.end();
    await ending(ended);
    const gone = openTalk(address);
    written(gone, 'a');
    await new Promise((resolve) => gone.once('data', resolve));
    gone.cancel();
    await expect
      .poll(() => lines.filter(({ msg }) => msg === 'rpc'))
      .toMatchObject([
        { rpc: TALK, status: Status.OK },
        { rpc: TALK, status: Status.CANCELLED },
      ]);
  });
});
