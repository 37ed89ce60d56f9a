import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startEdge, steps } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';
import { guild } from '../support/samples.ts';
import { request } from '../support/wire.ts';

it('a closing edge lets its clients read their answers', async () => {
  const edge = await startEdge();
  const name = 'x'.repeat(12 * 1024 * 1024); // more than the system's buffers hold
  let finishSecond: () => void = () => undefined;
  const second = new Promise<void>((resolve) => {
    finishSecond = resolve;
  });
  edge.peers.answers.chat = {
    getGuild: async ({ guild_id }) => {
      if (guild_id === '2') await second;
      return { guild: { ...guild, name: guild_id === '2' ? 'short' : name } };
    },
  };
  const client = connect(edge.port, edge.host).pause();
  client.write(request('GET /guilds/1', [`Authorization: Bearer ${SESSION}`]));
  await expect.poll(() => steps(edge)).toContain('getGuild');
  const unused = connect(edge.port, edge.host).resume();
  const other = connect(edge.port, edge.host).resume();
  other.write(request('GET /guilds/2', [`Authorization: Bearer ${SESSION}`]));
  await expect.poll(() => steps(edge).filter((rpc) => rpc === 'getGuild')).toHaveLength(2);
  await once(client, 'readable');

  const closing = edge.close();
  await once(unused, 'close');
  finishSecond();
  await once(other, 'close'); // the edge has closed the idle connections once more, and the first one was not idle
  let bytes = 0;
  client.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  client.resume();
  await closing;
  expect(bytes).toBeGreaterThan(name.length);
});

it('a closing edge answers a client that has just connected', async () => {
  const edge = await startEdge();
  const used = connect(edge.port, edge.host);
  used.write(request('GET /gateway'));
  await once(used, 'data');
  // The connection stays new, however busy the machine is.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const client = connect(edge.port, edge.host);
  await once(client, 'connect');
  const closing = edge.close();
  await once(used.resume(), 'close'); // the edge closes its idle connections
  client.write(request('GET /gateway'));
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 200 .*^connection: close\r$/ims);
  await once(client.resume(), 'close');
  await closing;
});
