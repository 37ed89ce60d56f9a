import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { ephemeralPorts, quietPorts } from '@gatehouse/dev-env/port-range';
import { expect, test } from 'vitest';
import { choosePorts, warnOfEphemeral } from '../suite/ports.ts';

test.each([
  [
    { first: 32_768, last: 60_999 },
    { first: 10_000, last: 32_767 },
  ],
  [
    { first: 1_024, last: 60_999 },
    { first: 61_000, last: 65_535 },
  ],
  [
    { first: 1_024, last: 65_535 },
    { first: 10_000, last: 65_535 },
  ],
])('where connections get %j, free ports are drawn from %j', (ephemeral, quiet) => {
  expect(quietPorts(ephemeral)).toEqual(quiet);
});

test('ports that connections may take are warned of', () => {
  const { first, last } = ephemeralPorts();
  const said: string[] = [];
  for (const port of [0, first - 9, last + 1]) warnOfEphemeral(port, (line) => said.push(line));
  expect(said).toEqual([]);
  for (const port of [first - 8, first, last]) warnOfEphemeral(port, (line) => said.push(line));
  expect(said).toHaveLength(3);
  expect(said[0]).toContain(`PORT below ${first - 8} is safe`);
});

test('a port that an outgoing connection has is waited for, and that is said', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const taken = await freePort(); // that no other connection takes afterwards
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', localPort: taken });
  await Promise.all([accepted, once(client, 'connect')]);
  const said: string[] = [];
  const chosen = choosePorts('127.0.0.1', taken, (line) => {
    said.push(line);
    client.resetAndDestroy();
  });
  // Another of the ports may be in use; this one is not any more.
  await chosen.catch((error: Error) => expect(error.message).not.toContain(`port ${taken},`));
  server.close();
  expect(said[0]).toContain(`port ${taken} has been taken by an outgoing connection`);
});
