import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startEdge, steps } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';
import { guild } from '../support/samples.ts';
import { request } from '../support/wire.ts';

it('an edge that closes lets its clients take their answers', async () => {
  const edge = await startEdge();
  const name = 'x'.repeat(12 * 1024 * 1024); // more than the system's buffers hold
  edge.peers.answers.chat = { getGuild: () => ({ guild: { ...guild, name } }) };
  const client = connect(edge.port, edge.host).pause();
  client.write(request('GET /guilds/1', [`Authorization: Bearer ${SESSION}`]));
  await expect.poll(() => steps(edge)).toContain('getGuild');
  const unused = connect(edge.port, edge.host).resume();
  await once(client, 'readable');

  const closing = edge.close();
  await once(unused, 'close');
  await new Promise((resolve) => setTimeout(resolve, 300)); // it looks for idle connections several times
  let bytes = 0;
  client.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  client.resume();
  await closing;
  expect(bytes).toBeGreaterThan(name.length);
});
