import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edgeUrl, serviceAddress } from '@gatehouse/cli/stack/addresses';
import { runScript } from '@gatehouse/dev-env/run-script';
import { PROCESSES } from '@gatehouse/stack/processes';
import { writeStackRecord } from '@gatehouse/stack/stack-record';
import { afterAll, describe, expect, test } from 'vitest';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'gatehouse-running-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

test.each([
  [{}, 'http://127.0.0.1:8080', '127.0.0.1:8082'],
  [{ PORT: '9000' }, 'http://127.0.0.1:9000', '127.0.0.1:9002'],
  [{ PORT: '9000', HOST: '0.0.0.0' }, 'http://127.0.0.1:9000', '127.0.0.1:9002'],
  [{ PORT: '9000', HOST: '::1' }, 'http://[::1]:9000', '127.0.0.1:9002'],
  [{ PORT: '9000', AUTH_ADDRESS: 'a:1,b:2' }, 'http://127.0.0.1:9000', 'a:1,b:2'],
])('with %j a stack is where npm start has it', (given, url, auth) => {
  const env = { DATA_DIR, ...given };
  expect([edgeUrl(env), serviceAddress(env, 'auth')]).toEqual([url, auth]);
});

test('every service has the port that npm start gives it', () => {
  const at = PROCESSES.findIndex(({ name }) => name === 'media');
  expect(serviceAddress({ DATA_DIR, PORT: '9000' }, 'media')).toBe(`127.0.0.1:${9000 + at}`);
});

test('a stack on free ports is found by its DATA_DIR while it runs', () => {
  const running = { url: 'http://127.0.0.1:21000', addresses: { auth: '127.0.0.1:22000' } };
  writeStackRecord(DATA_DIR, running);
  for (const env of [{ DATA_DIR }, { DATA_DIR, PORT: '0' }])
    expect([edgeUrl(env), serviceAddress(env, 'auth')]).toEqual([running.url, '127.0.0.1:22000']);
  writeFileSync(join(DATA_DIR, 'stack.json'), JSON.stringify({ ...running, pid: 2 ** 22 + 1 }));
  expect(edgeUrl({ DATA_DIR })).toBe('http://127.0.0.1:8080');
  writeFileSync(join(DATA_DIR, 'stack.json'), '');
  expect(edgeUrl({ DATA_DIR })).toBe('http://127.0.0.1:8080');
});

describe.each([['demo', [], '127.0.0.1:9']])('npm run %s', (name, args, address) => {
  test.concurrent('calls the address of PORT, and names it in its error', async () => {
    const script = fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
    const { code, stderr } = await runScript(script, args, { env: { PORT: '9' } });
    expect(stderr).toMatch(new RegExp(`${address}\\b`));
    expect(code).not.toBe(0);
  });
});
