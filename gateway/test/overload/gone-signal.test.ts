import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Edge, steps, useEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';
import { request } from '../support/wire.ts';

const CLIENTS = 20;

/** Delays chat's answer to `getGuild` until it is released, and counts the cancelled calls. */
function holdAnswers(edge: Edge): { cancelled: () => number; release: () => void } {
  const released = Promise.withResolvers<void>();
  let cancelled = 0;
  edge.peers.answers.chat = {
    getGuild: async (_, { signal }) => {
      signal.addEventListener('abort', () => cancelled++);
      await released.promise;
      return { guild: null };
    },
  };
  return { cancelled: () => cancelled, release: released.resolve };
}

function send(edge: Edge, header_bytes: number) {
  const client = connect(edge.port, edge.host);
  client.on('error', () => undefined); // it may be cut off
  client.write(
    request('GET /guilds/1', [`Authorization: Bearer ${SESSION}`, `X-Long: ${'x'.repeat(header_bytes)}`]),
  );
  return client;
}

const calls = (edge: Edge) => steps(edge).filter((rpc) => rpc === 'getGuild').length;
const logged = (edge: Edge, status: number) =>
  edge.log.filter((line) => line.includes(`"status":${status}`)).length;

describe('a request whose client disconnects before the service answers', () => {
  const edge = useEdge();

  it('is cancelled if its head is long, which frees the head', async () => {
    const { cancelled, release } = holdAnswers(edge);
    const clients = Array.from({ length: CLIENTS }, () => send(edge, 30_000));
    await expect.poll(() => calls(edge)).toBe(CLIENTS);
    for (const client of clients) client.resetAndDestroy(); // an end alone may be the request's
    await expect.poll(cancelled).toBe(CLIENTS);
    await expect.poll(() => logged(edge, 499)).toBe(CLIENTS);
    release();
  });

  it('continues if its head is short', async () => {
    const { cancelled, release } = holdAnswers(edge);
    const clients = Array.from({ length: CLIENTS }, () => send(edge, 1_000));
    await expect.poll(() => calls(edge)).toBe(CLIENTS);
    for (const client of clients) client.resetAndDestroy();
    await edge.send('GET /webhooks/41/tok'); // once a later client is answered, the edge has seen the disconnect
    release();
    await expect.poll(() => logged(edge, 204)).toBe(CLIENTS);
    expect(cancelled()).toBe(0);
  });

  it('is cancelled if its connection was closed to free its head', async () => {
    const { cancelled, release } = holdAnswers(edge);
    const clients = Array.from({ length: 450 }, () => send(edge, 60_000)); // one address may hold 400 of them
    await expect.poll(cancelled).toBeGreaterThan(10);
    await expect.poll(() => logged(edge, 499)).toBeGreaterThan(10);
    for (const client of clients) client.destroy();
    release();
  });
});
