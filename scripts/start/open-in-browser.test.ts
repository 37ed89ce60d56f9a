import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInBrowser } from './open-in-browser.ts';

const URL = 'http://127.0.0.1:8080/';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-browser-'));
  vi.stubEnv('DISPLAY', undefined);
  vi.stubEnv('WAYLAND_DISPLAY', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

test.skipIf(process.platform !== 'linux')('opens the page in the browser of the system', async () => {
  const browser = join(dir, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${dir}/opened'\n`, { mode: 0o700 });
  vi.stubEnv('BROWSER', browser);
  const said: string[] = [];
  await openInBrowser(URL, (line) => said.push(line));
  const opened = () => {
    try {
      return readFileSync(join(dir, 'opened'), 'utf8');
    } catch {
      return '';
    }
  };
  await expect.poll(opened, { timeout: 10_000 }).toBe(URL);
  expect(said).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('without a browser it says what to open', async () => {
  vi.stubEnv('BROWSER', join(dir, 'nothing'));
  const said: string[] = [];
  await openInBrowser(URL, (line) => said.push(line));
  await expect
    .poll(() => said, { timeout: 10_000 })
    .toEqual([`no browser could be opened: open ${URL} yourself`]);
});
