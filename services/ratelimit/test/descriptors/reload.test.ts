import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { ConfigError } from '@gatehouse/kit/env';
import { createLogger } from '@gatehouse/kit/log';
import { expect, test } from 'vitest';
import { startRatelimit } from '../support.ts';
import { limit, remainingOf, serveDescriptors } from './domain.ts';
import { folderOf } from './files.ts';

function logged() {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLogger({ name: 'ratelimit', level: 'info', destination }), text: () => lines.join('') };
}

test('a changed file is found without a signal, and levels are carried over', async () => {
  const { log, text } = logged();
  const d = await serveDescriptors(`  - {key: user, ${limit(10)}}`, {}, { log });
  await d.ask(['user=a'], 6);
  d.write(`  - {key: user, ${limit(20)}}\n  - {key: other, ${limit(1)}}`);
  await expect.poll(text, { timeout: 20_000 }).toContain('the descriptors have changed');
  expect(remainingOf(await d.ask(['user=a', 'other=a']))).toEqual([13, 0]);
});

test('an invalid file is logged with every problem, and the old limits stay until it is valid', async () => {
  const { log, text } = logged();
  const d = await serveDescriptors(`  - {key: user, ${limit(10)}}`, {}, { log });
  d.write(`  - {kye: user, ${limit(20, 'fortnight')}}`);
  process.emit('SIGHUP');
  await expect
    .poll(text, { timeout: 20_000 })
    .toContain('new descriptors cannot be used: the old limits stay');
  expect(text()).toMatch(/d\.yaml:3:6: unknown key/);
  expect(text()).toMatch(/d\.yaml:3:5: key is required/);
  expect(text()).toMatch(/unknown unit /);
  expect(remainingOf(await d.ask(['user=a']))).toEqual([9]);
  d.write(`  - {key: user, ${limit(30)}}`);
  process.emit('SIGHUP');
  await expect.poll(text, { timeout: 20_000 }).toContain('the descriptors have changed');
  expect(remainingOf(await d.ask(['user=a']))).toEqual([28]);
});

test('files of a folder are added and removed', async () => {
  const { log, text } = logged();
  const folder = folderOf({ 'd.yaml': `domain: d\ndescriptors: [{key: user, ${limit(5)}}]` });
  const d = await serveDescriptors('', { descriptors: folder }, { log });
  const named = { entries: [{ key: 'user', value: 'a' }] };
  writeFileSync(join(folder, 'e.yaml'), `domain: e\ndescriptors: [{key: user, ${limit(7)}}]`);
  rmSync(join(folder, 'd.yaml'));
  process.emit('SIGHUP');
  await expect.poll(text, { timeout: 20_000 }).toContain('the descriptors have changed');
  expect(remainingOf(await d.askIn('e', [named]))).toEqual([6]);
  // An unknown domain has the bucket reference.
  await expect(d.ask(['user=a'])).rejects.toThrow('The first entry of a descriptor is "bucket"');
});

test('an invalid file at the start is a configuration error with every problem', async () => {
  const folder = folderOf({ 'a.yaml': 'domain: a\nno: 1', 'b.yaml': 'domain: a' });
  const error = await startRatelimit({ descriptors: folder }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).problems).toEqual([
    expect.stringMatching(/^RATELIMIT_DESCRIPTORS .*a\.yaml:2:1: unknown key "no"/),
    expect.stringMatching(/^RATELIMIT_DESCRIPTORS .*b\.yaml:1:1: .*a\.yaml has domain a too/),
  ]);
});
