import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { logFiles } from '../../src/logs/log-files.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-logs-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
});

function write(name: string, text: string, changed_s: number): void {
  writeFileSync(join(dir, name), text);
  utimesSync(join(dir, name), changed_s, changed_s);
}

test('the files of a service are those of all its replicas, older ones and shared processes too', async () => {
  write('webhook-delivery.log', '', 1);
  write('webhook-delivery-12.log', '', 2);
  write('gateway+auth-2.log.1', '', 3);
  write('auth.log.gz', '', 4);
  write('notes.txt', '', 5);
  mkdirSync(join(dir, 'chat.log'));
  symlinkSync('/etc/passwd', join(dir, 'media.log'));
  expect((await logFiles(dir)).map(({ services }) => services)).toEqual([
    ['gateway', 'auth'],
    ['webhook-delivery'],
    ['webhook-delivery'],
  ]);
});
