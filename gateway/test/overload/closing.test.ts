import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
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
