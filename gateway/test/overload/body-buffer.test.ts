import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { silentLogger } from '@gatehouse/kit/log';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { IncomingBody } from '../../src/overload/incoming-body.ts';
import { overloadManager } from '../../src/overload/overload.ts';

const overload = overloadManager({
  bounds: readConfig({}).bounds,
  groupOfPeer: () => undefined,
  groupOfClient: () => '127.0.0.1',
  log: silentLogger,
});
afterAll(() => overload.close());

it('a short body does not keep its whole read buffer in memory', async () => {
  const read = Buffer.allocUnsafeSlow(64 * 1024).fill('x');
  const raw = Object.assign(Readable.from([read.subarray(100, 110)]), {
    headers: { 'content-length': '10' },
  });
  const body = await new IncomingBody(raw as unknown as IncomingMessage, '192.0.2.1', overload).read(100);
  expect(body.toString()).toBe('x'.repeat(10));
  expect(body.buffer.byteLength).toBeLessThan(16 * 1024);
});

it('an incomplete long body frees its memory at once', async () => {
  const MiB = 1024 * 1024;
  const raw = Object.assign(new PassThrough(), { headers: { 'content-length': String(8 * MiB) } });
  const before = process.memoryUsage().arrayBuffers;
  const read = new IncomingBody(raw as unknown as IncomingMessage, '192.0.2.1', overload).read(8 * MiB);
  const gone = read.catch((error: unknown) => error);
  raw.write(Buffer.alloc(128 * 1024));
  await expect.poll(() => overload.bodies.long.reservedBytes()).toBe(8 * MiB);
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(8 * MiB);
  raw.destroy();
  expect(await gone).toBeInstanceOf(Error);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MiB);
});
