import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { steps, useEdge } from '../support/edge.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import { SESSION } from '../support/peers.ts';
import { guild } from '../support/samples.ts';
import { request, wire } from '../support/wire.ts';

const bounds = readConfig({}).bounds;
const READ = 'GET /webhooks/41/tok';

expectNoUncaughtError();

/** A gate that holds answers back until it is opened. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('requests on one connection', () => {
  const edge = useEdge();
  const calls = () => steps(edge).filter((rpc) => rpc === 'getTokenWebhook').length;

  it('begin up to 32 at a time, and all are answered in their order', async () => {
    const { passed, open } = gate();
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: async () => {
        await passed;
        return { webhook: null };
      },
    };
    const connection = await wire(edge);
    const ids = Array.from({ length: 500 }, (_, index) => `r${index}`);
    connection.write(ids.map((id) => request(READ, [`X-Request-Id: ${id}`])).join(''));
    await expect.poll(calls).toBe(32);
    expect((await edge.send('GET //livez')).status).toBe(200);
    expect(calls()).toBe(32);
    open();
    for (const id of ids) expect((await connection.answer()).headers.get('x-request-id')).toBe(id);
    expect(calls()).toBe(500);
    connection.destroy();
  });

  it('do not wait behind thousands of another connection’s', async () => {
    const { passed, open } = gate();
    let held = 0;
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: async ({ token }) => {
        if (token === 'held') {
          held++;
          await passed;
        }
        return { webhook: null };
      },
    };
    const greedy = await wire(edge);
    greedy.write(request('GET /webhooks/41/held').repeat(5_000));
    await expect.poll(() => held).toBe(32);
    expect((await edge.send(READ)).status).toBe(204);
    open();
    for (let count = 0; count < 5_000; count++) expect((await greedy.answer()).status).toBe(204);
    greedy.destroy();
  });

  it('are not read beyond 64 KiB of unanswered heads', async () => {
    const { passed, open } = gate();
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: async () => {
        await passed;
        return { webhook: null };
      },
    };
    const connection = await wire(edge);
    connection.write(request(READ, [`X-Long: ${'x'.repeat(20_000)}`]).repeat(12));
    await expect.poll(calls).toBe(4);
    expect((await edge.send('GET //livez')).status).toBe(200);
    expect(calls()).toBe(4);
    open();
    for (let count = 0; count < 12; count++) expect((await connection.answer()).status).toBe(204);
    connection.destroy();
  });

  it('may have bodies, also behind a head of 60 KiB, and a half-closed connection', async () => {
    const connection = await wire(edge);
    for (let count = 0; count < 200; count++) {
      const long = count === 100 ? [`X-Long: ${'x'.repeat(60_000)}`] : [];
      connection.write(request('POST /webhooks/41/tok', long, '{"content":"hello"}'));
    }
    connection.end();
    for (let count = 0; count < 200; count++) expect((await connection.answer()).status).toBe(204);
    await connection.closed();
  });
});

describe('connections', () => {
  const edge = useEdge({ config: { bounds: { ...bounds, max_connections_per_address: 20 } } });

  it('make room for a new one at the bound if they are idle, and not while they wait for an answer', async () => {
    const { passed, open } = gate();
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: async () => {
        await passed;
        return { webhook: null };
      },
    };
    const busy = await wire(edge);
    busy.write(request(READ));
    await expect.poll(() => steps(edge)).toContain('getTokenWebhook');
    const idle = await Promise.all(Array.from({ length: 19 }, () => wire(edge)));

    const fresh = await wire(edge);
    fresh.write(request('GET /users/@me'));
    expect((await fresh.answer()).status).toBe(401);
    await Promise.any(idle.map((client) => client.closed()));
    open();
    expect((await busy.answer()).status).toBe(204);
    for (const client of [busy, fresh, ...idle]) client.destroy();
  });
});

describe('the bounds of requests under way', () => {
  const edge = useEdge({ config: { bounds: { ...bounds, max_requests_per_address: 2 } } });

  it('are 503 with Retry-After, without other details', async () => {
    const { passed, open } = gate();
    edge.peers.answers.webhook_delivery = {
      getTokenWebhook: async () => {
        await passed;
        return { webhook: null };
      },
    };
    const under = [edge.send(READ), edge.send(READ)];
    await expect.poll(() => steps(edge).filter((rpc) => rpc === 'getTokenWebhook')).toHaveLength(2);
    const refused = await edge.send('GET /users/@me');
    expect([refused.status, refused.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).toBe('1');
    const probe = await edge.send('GET //readyz');
    expect(probe.json()).toMatchObject({ ready: true, shedding: ['requests_per_address'] });
    expect(edge.log.some((line) => line.includes('"reason":"requests_per_address","refused":1'))).toBe(true);
    open();
    for (const answer of under) expect((await answer).status).toBe(204);
    expect((await edge.send(READ)).status).toBe(204);
  });
});

describe('answers that clients have not read', () => {
  const edge = useEdge({ config: { bounds: { ...bounds, max_unsent_bytes: 8 * 1024 * 1024 } } });

  it('are bounded, including those that wait behind another', async () => {
    const { passed, open } = gate();
    edge.peers.answers.chat = {
      getGuild: async ({ guild_id }) => {
        if (guild_id === '1') await passed;
        return { guild: { ...guild, name: 'x'.repeat(1024 * 1024) } };
      },
    };
    const connection = await wire(edge);
    const lines = [`Authorization: Bearer ${SESSION}`];
    connection.write(request('GET /guilds/1', lines) + request('GET /guilds/2', lines).repeat(20));
    await connection.closed();
    expect((await edge.send('GET //readyz')).json()).toMatchObject({ shedding: ['unsent_bytes'] });
    open();
  });
});
