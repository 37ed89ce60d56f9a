import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { connectionLimits, sharedConnectionLimits } from '../../src/system/descriptors.ts';

it('a process survives running out of file descriptors', async () => {
  const fixture = fileURLToPath(new URL('../fixtures/no-descriptors.ts', import.meta.url));
  const child = spawn('sh', ['-c', 'ulimit -n 128; exec "$0" "$1"', process.execPath, fixture]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(output).toBe('EMFILE undefined\nalive\n');
});

it('connection limits leave file descriptors for the process itself', () => {
  expect(connectionLimits(1_024)).toEqual({ all: 768, peers: 192, clients: 576 });
  expect(connectionLimits(100)).toEqual({ all: 50, peers: 12, clients: 38 });
  expect(connectionLimits(1_048_576)).toMatchObject({ peers: 4_096 });
  const { all, peers, clients } = connectionLimits(Number.POSITIVE_INFINITY);
  expect([all, peers, clients]).toEqual([Infinity, 4_096, Infinity]);
  expect(connectionLimits().all).toBeGreaterThan(0);
});

it('servers that share a process stay within its limit', () => {
  for (const limit of [100, 1_024, 4_096, 1_048_576]) {
    const { all, peers, clients } = sharedConnectionLimits(limit);
    const tunnels = Math.min(all, clients);
    expect(8 * peers + all + clients + tunnels).toBeLessThanOrEqual(connectionLimits(limit).all);
    expect(peers).toBeGreaterThan(0);
  }
});
