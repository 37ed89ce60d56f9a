import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { ephemeralPorts, nonEphemeralPorts } from '@gatehouse/dev-env/port-range';
import { expect, test } from 'vitest';
import { choosePorts, warnOfEphemeral } from '../src/ports.ts';
import { PORT_COUNT } from '../src/processes.ts';

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
])('with %j for outgoing connections, free ports are drawn from %j', (ephemeral, quiet) => {
  expect(nonEphemeralPorts(ephemeral)).toEqual(quiet);
});

test('a warning names ports that outgoing connections may take', () => {
  const { first, last } = ephemeralPorts();
  const said: string[] = [];
  for (const port of [0, first - PORT_COUNT, last + 1]) warnOfEphemeral(port, (line) => said.push(line));
  expect(said).toEqual([]);
  for (const port of [first - PORT_COUNT + 1, first, last]) warnOfEphemeral(port, (line) => said.push(line));
  expect(said).toHaveLength(3);
  expect(said[0]).toContain(`PORT below ${first - PORT_COUNT + 1} is safe`);
});

test('a start waits for a port that an outgoing connection uses, and says so', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const said: string[] = [];
  /** Whether the port of a connection is free after the connection ends. */
  async function isFreed(): Promise<boolean> {
    const accepted = once(server, 'connection');
    const client = connect(port, '127.0.0.1');
    await Promise.all([accepted, once(client, 'connect')]);
    const taken = client.localPort ?? 0;
    const chosen = choosePorts('127.0.0.1', taken, (line) => {
      said.push(line);
      client.resetAndDestroy();
    });
    // The ports behind it may be in use.
    const isFree = await chosen.catch((error: Error) => !error.message.includes(`port ${taken},`));
    expect(said.join('\n')).toContain(`port ${taken} has been taken by an outgoing connection`);
    return isFree !== false;
  }
  // Another connection of this machine may use it too.
  expect((await isFreed()) || (await isFreed()) || (await isFreed())).toBe(true);
  server.close();
});
