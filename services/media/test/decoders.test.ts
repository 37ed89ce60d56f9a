import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import {
  fetchPicture,
  LONG_TIMEOUT,
  type MediaUnderTest,
  onePixel,
  setAvatar,
  startMedia,
  uploadPicture,
} from './start-media.ts';

const UNREADABLE = 'Must be an image that can be decoded.';
const MiB = 1024 * 1024;

const running: MediaUnderTest[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function startOwn(...how: Parameters<typeof startMedia>): Promise<MediaUnderTest> {
  const service = await startMedia(...how);
  running.push(service);
  return service;
}

/** A picture of few bytes that takes 600 MB and some seconds to decode. */
const expensivePicture = (seed = 0): Promise<Buffer> =>
  sharp({
    create: { width: 8192, height: 8192, channels: 4, background: { r: seed, g: 0, b: 0, alpha: 0.5 } },
  })
    .webp({ lossless: true, effort: 0 })
    .toBuffer();
let large: Promise<string> | undefined;
function largeText(): Promise<string> {
  large ??= expensivePicture().then((bytes) => bytes.toString('base64'));
  return large;
}

async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

test('a decoder starts with the first picture, and ends with the service', async () => {
  const service = await startOwn('media_decoders');
  expect(service.decoders()).toEqual([]);
  await Promise.all(
    ['red', 'green', 'blue'].map(async (color) => uploadPicture(service.media, await onePixel(color))),
  );
  const [pid = 0, ...others] = service.decoders();
  expect(others).toEqual([]);
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  expect(environment).not.toMatch(/postgres|DATABASE|SECRET/i);
  const folder = /TMPDIR=([^\0]+)/.exec(environment)?.[1] ?? '';
  await writeFile(`${folder}/vips-0.v`, 'what libvips leaves');
  await running.pop()?.close();
  await expect.poll(() => isGone(pid)).toBe(true);
  await expect.poll(() => existsSync(folder)).toBe(false);
});

test('a picture whose decoder is killed is 503, and the next picture is decoded', async () => {
  const under = await startOwn('media_killed');
  const { media } = under;
  await uploadPicture(media, await onePixel('red'));
  const refused = reasonOf(media.storePicture({ text: await largeText(), sender: '1' }, LONG_TIMEOUT));
  const waiting = uploadPicture(media, await onePixel('blue'), '2');
  const [pid = 0] = under.decoders();
  await untilBusy(pid);
  process.kill(pid, 'SIGKILL');
  expect(await refused).toBe('SERVICE_UNAVAILABLE');
  expect((await waiting).hash).toMatch(/^[0-9a-f]{32}$/);
  expect(under.decoders()).toHaveLength(2);
});

test('a picture over the memory limit is refused, and the next picture is decoded', async () => {
  const service = await startOwn('media_memory', { config: { decoder_memory_bytes: 300 * MiB } });
  const { media } = service;
  const first = await media.storePicture({ text: await largeText(), sender: '1' }, LONG_TIMEOUT);
  expect(first).toEqual({ upload: null, refusal: UNREADABLE });
  await uploadPicture(media, await onePixel('red'));
  expect(service.decoders()).toHaveLength(2);
});

test('a picture over the time limit is refused, and the next picture is decoded', async () => {
  const service = await startOwn('media_time', { decode_timeout_ms: 200 });
  const { media } = service;
  const first = await media.storePicture({ text: await largeText(), sender: '1' }, LONG_TIMEOUT);
  expect(first).toEqual({ upload: null, refusal: UNREADABLE });
  await expect
    .poll(async () => (await media.storePicture(await small(), LONG_TIMEOUT)).refusal ?? null)
    .toBeNull();
});

test('a busy decoder ends with its service', async () => {
  const program = fileURLToPath(new URL('../src/decoding/decoder-process.ts', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-decoder-test-'));
  await writeFile(join(folder, 'vips-0.v'), 'what libvips leaves');
  const decoder = fork(program, [String(1024 * MiB), folder], { serialization: 'advanced', stdio: 'ignore' });
  await once(decoder, 'message');
  decoder.send(await expensivePicture());
  await untilBusy(decoder.pid ?? 0);
  const ended = once(decoder, 'exit');
  const took_ms = processStopwatch();
  decoder.disconnect();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(took_ms()).toBeLessThan(1_000);
  expect(existsSync(folder)).toBe(false);
});

const small = async () => ({ text: (await onePixel('red')).toString('base64'), sender: '1' });

test('stored pictures can be read during a decoding, and a flood of one sender does not delay another sender', async () => {
  const under = await startOwn('media_flood');
  const { media } = under;
  const pixel = await onePixel('red');
  const hash = await setAvatar(media, '5', pixel);
  const text = await largeText();
  const done: string[] = [];
  const flood = Array.from({ length: 3 }, () =>
    media.storePicture({ text, sender: 'flooder' }, { timeoutMs: 60_000 }).then(
      () => done.push('flood'),
      () => done.push('flood'),
    ),
  );
  await untilBusy(under.decoders()[0] ?? 0);
  expect(await fetchPicture(media, '5', hash)).toMatchObject({ bytes: pixel });
  expect(done).toEqual([]);
  await uploadPicture(media, await onePixel('blue'), 'another').then(() => done.push('another'));
  expect(done.indexOf('another')).toBeLessThanOrEqual(1);
  await Promise.all(flood);
}, 120_000);

/** Waits until a decoder is busy with an expensive picture. */
async function untilBusy(pid: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
      },
      { interval: 5 },
    )
    .toBeGreaterThan(150);
}
