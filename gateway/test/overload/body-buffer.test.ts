import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { silentLogger } from '@gatehouse/kit/log';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { incomingBody } from '../../src/overload/incoming-body.ts';
import { overloadManager } from '../../src/overload/overload.ts';

it('a short body does not keep all that came with it in memory', async () => {
  const overload = overloadManager({
    bounds: readConfig({}).bounds,
    addressOf: () => undefined,
    log: silentLogger,
  });
  const read = Buffer.allocUnsafeSlow(64 * 1024).fill('x');
  const raw = Object.assign(Readable.from([read.subarray(100, 110)]), {
    headers: { 'content-length': '10' },
  });
  const body = await incomingBody(raw as unknown as IncomingMessage, '192.0.2.1', overload).read(100);
  expect(body.toString()).toBe('x'.repeat(10));
  expect(body.buffer.byteLength).toBeLessThan(16 * 1024);
  overload.close();
});
