import { unauthorized } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { notFound } from '../../src/http/http-error.ts';
import { lastRequest, steps, useEdge } from '../support/edge.ts';
import { expectEveryAnswer } from '../support/every-answer.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import { SESSION } from '../support/peers.ts';
import { request, wire } from '../support/wire.ts';

const MiB = 1024 * 1024;
const KiB = 1024;
const PUSH = 'POST /webhooks/41/tok/codehost';
const PROFILE = 'PATCH /users/@me';
const authorization = `Bearer ${SESSION}`;
const bounds = { ...readConfig({}).bounds, body_stall_timeout_ms: 300 };

expectNoUncaughtError();

describe('a long body', () => {
  const edge = useEdge();

  it('arrives unchanged, in one piece or in chunks', async () => {
    const body = Buffer.alloc(25 * MiB, 'a long body; ');
    expect((await edge.send(PUSH, { body })).status).toBe(204);
    expect(body.equals(lastRequest<{ body: Uint8Array }>(edge).body)).toBe(true);

    const connection = await wire(edge);
    connection.write(request(PUSH, ['Transfer-Encoding: chunked']));
    for (let at = 0; at < MiB; at += 10_000) {
      const chunk = body.subarray(at, Math.min(at + 10_000, MiB));
      connection.write(`${chunk.length.toString(16)}\r\n`);
      connection.write(chunk);
      connection.write('\r\n');
    }
    connection.write('0\r\n\r\n');
    expect((await connection.answer()).status).toBe(204);
    expect(body.subarray(0, MiB).equals(lastRequest<{ body: Uint8Array }>(edge).body)).toBe(true);
    connection.destroy();
  });

  it.each([
    ['a webhook that does not exist', notFound, 404],
    ['a token that is not the webhook’s', unauthorized, 401],
  ])('is not read beyond 64 KiB for %s', async (_, refusal, status) => {
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: () => {
        throw refusal();
      },
    };
    const connection = await wire(edge);
    connection.write(request(PUSH, [`Content-Length: ${25 * MiB}`]));
    connection.write(Buffer.alloc(65 * KiB, ' '));
    const answer = await connection.answer();
    expectEveryAnswer(answer, 'refused');
    expect(answer.status).toBe(status);
    expect(steps(edge)).not.toContain('executeCodehost');
    connection.destroy();
  });

  it('that is refused half-way is skipped, and the connection’s next request is answered', async () => {
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: () => {
        throw notFound();
      },
    };
    const connection = await wire(edge);
    connection.write(request(PUSH, [`Content-Length: ${MiB}`]));
    connection.write(Buffer.alloc(MiB, ' '));
    expect((await connection.answer()).status).toBe(404);
    connection.write(request('GET /nowhere'));
    expect((await connection.answer()).json().code).toBe('NOT_FOUND');
    connection.destroy();
  });

  it('is not read if a limit would deny it, and counts against the global bucket alone', async () => {
    edge.peers.answers.ratelimit = {
      peek: ({ charges }) => ({
        states: charges.map(({ bucket }) => ({
          bucket,
          limit: 20,
          remaining: 0,
          retry_after_us: bucket === 'user:update' ? 2_500_000 : 0,
          empty_after_us: bucket === 'user:update' ? 60_000_000 : 0,
        })),
      }),
    };
    const connection = await wire(edge);
    connection.write(request(PROFILE, [`Authorization: ${authorization}`, `Content-Length: ${10 * MiB}`]));
    connection.write(Buffer.alloc(65 * KiB, ' '));
    const answer = await connection.answer();
    expectEveryAnswer(answer, 'denied');
    expect([answer.status, answer.json()]).toMatchObject([429, { global: false, retry_after: 2.5 }]);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('20');
    const checks = edge.peers.calls.filter(({ rpc }) => rpc === 'check').map((call) => call.request);
    expect(checks).toMatchObject([{ sets: [{ charges: [{ bucket: 'global' }] }] }]);
    connection.destroy();
  });

  it('is read while ratelimit does not answer', async () => {
    await edge.peers.stop('ratelimit');
    const body = { avatar: 'x'.repeat(100 * KiB) };
    expect((await edge.send(PROFILE, { headers: { authorization }, body })).status).toBe(200);
    await edge.peers.restart('ratelimit');
  });
});

describe('a long body of JSON', () => {
  const edge = useEdge();
  const send = (body: string | object) => edge.send(PROFILE, { headers: { authorization }, body });
  const filler = 'x'.repeat(100 * KiB);

  it('is the same message as a short one', async () => {
    const body = { bio: 'hello', accent_color: 7, avatar: null, sudo_proof: { id: 'x' } };
    expect((await send(body)).status).toBe(200);
    const short = lastRequest(edge);
    expect((await send({ ...body, unknown: [filler], other: { deep: [[[filler]]] } })).status).toBe(200);
    expect(lastRequest(edge)).toEqual(short);
    expect((await send(`\ufeff ${JSON.stringify({ ...body, filler })}\n`)).status).toBe(200);
    expect(lastRequest(edge)).toEqual(short);
  });

  it('counts against the buckets of its members, like a short one', async () => {
    const chargedBuckets = () =>
      edge.peers.calls
        .filter(({ rpc }) => rpc === 'check')
        .map((call) => call.request as { sets: { charges: { bucket: string }[] }[] })
        .map(({ sets }) => sets.at(-1)?.charges.map(({ bucket }) => bucket));
    await send({ username: 'another', password: 'x', mfa_code: 7, sudo_proof: {}, filler });
    expect(chargedBuckets()).toEqual([['user:update', 'auth:sudo_pwd', 'auth:pk_assert', 'username_change']]);
  });

  it.each<[string, string | object, string, string]>([
    ['broken', `{"filler":"${filler}"`, 'body', 'INVALID_FORMAT'],
    ['no object', JSON.stringify([filler]), 'body', 'INVALID_FORMAT'],
    ['not UTF-8', `{"filler":"${filler}\ud800"}`, '', ''],
    ['with a member of another type', { bio: 7, filler }, 'bio', 'INVALID_FORMAT'],
    ['with an object for a text', { bio: { x: 1 }, filler }, 'bio', 'INVALID_FORMAT'],
    [
      'with a member of too many values',
      `{"sudo_proof":{"x":[${'0,'.repeat(60_000)}0]}}`,
      'sudo_proof',
      'INVALID_FORMAT',
    ],
    [
      'with a member that is too deep',
      `{"sudo_proof":{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      'sudo_proof',
      'INVALID_FORMAT',
    ],
  ])('that is %s is 400, or harmless', async (_, body, path, code) => {
    const answer = await send(body);
    if (path === '') expect(answer.status).toBe(200);
    else expect([answer.status, answer.json().errors]).toMatchObject([400, [{ path, code }]]);
  });

  it('of millions of values costs no more than its length', async () => {
    const before = process.memoryUsage().rss;
    const body = `{"x":[${'{},'.repeat(4 * MiB)}{}],"bio":"hello"}`;
    for (let count = 0; count < 3; count++) expect((await send(body)).status).toBe(200);
    expect(lastRequest(edge)).toMatchObject({ bio: { value: 'hello' } });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MiB);
  });

  it('leaves the event loop free for others', async () => {
    const busy = performance.eventLoopUtilization();
    const body = Buffer.from(`{"x":[${'{},'.repeat(4 * MiB)}{}]}`);
    const long = edge.send(PROFILE, { headers: { authorization }, body });
    let others = 0;
    while ((await Promise.race([long, edge.send('GET //livez')])).status !== 204 && others < 5) others++;
    expect((await long).status).toBe(200);
    expect(others).toBe(5);
    expect(performance.eventLoopUtilization(busy).active).toBeGreaterThan(0);
  });
});

describe('a body', () => {
  const edge = useEdge({ config: { bounds } });

  it('that stalls is 408', async () => {
    const connection = await wire(edge);
    connection.write(request(PUSH, ['Content-Length: 1000']));
    connection.write('{"x":');
    const answer = await connection.answer();
    expectEveryAnswer(answer, 'stalled');
    expect([answer.status, answer.json().code]).toEqual([408, 'REQUEST_TIMEOUT']);
    connection.destroy();
  });

  it('in chunks of a byte is 400 before it has grown long, and ends the connection', async () => {
    const connection = await wire(edge);
    connection.write(request(PUSH, ['Transfer-Encoding: chunked']));
    connection.write('1\r\nx\r\n'.repeat(50_000));
    const answer = await connection.answer();
    expectEveryAnswer(answer, 'cut up');
    expect([answer.status, answer.json().code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.headers.get('connection')).toBe('close');
    connection.end();
    await connection.closed();
  });

  it('that is refused half-way does not end the connection of a single request', async () => {
    for (let count = 0; count < 20; count++) {
      const connection = await wire(edge);
      connection.write(request('POST /guilds', ['Connection: close', `Content-Length: ${8 * MiB}`]));
      connection.write(Buffer.alloc(8 * MiB, ' '));
      const answer = await connection.answer();
      expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close']);
      await connection.closed();
    }
  });

  it('without an end is dropped once its request is refused, and the client receives the answer', async () => {
    const connection = await wire(edge);
    connection.write(request('POST /guilds', ['Transfer-Encoding: chunked']));
    for (let count = 0; count < 100; count++) connection.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close']);
    await connection.closed();
  });
});

describe('long bodies that stall', () => {
  const edge = useEdge();

  it('are evicted for waiting ones', async () => {
    const stalled = await Promise.all(
      [1, 2, 3].map(async () => {
        const connection = await wire(edge);
        connection.write(request(PUSH, [`Content-Length: ${25 * MiB}`]));
        connection.write(Buffer.alloc(24 * MiB, ' '));
        return connection;
      }),
    );
    const pushes = Array.from({ length: 4 }, () => edge.send(PUSH, { body: Buffer.alloc(5 * MiB, ' ') }));
    for (const push of pushes) expect((await push).status).toBe(204);
    expect((await Promise.any(stalled.map((client) => client.answer()))).status).toBe(408);
    expect(edge.log.some((line) => line.includes('"reason":"slow_bodies"'))).toBe(true);
    for (const client of stalled) client.destroy();
  });
});
