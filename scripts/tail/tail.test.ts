import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runScript } from '@gatehouse/dev-env/run-script';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Op } from './frames.ts';
import { type TestClient, type TestGateway, testGateway } from './test-gateway.ts';

const SCRIPT = fileURLToPath(new URL('../tail.ts', import.meta.url));
const TOKEN = 'gth_secret';
const env = { GATEWAY_TOKEN: TOKEN };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(() => gateway.close());

const run = (args: readonly string[], more: Parameters<typeof runScript>[2] = { env }) =>
  runScript(SCRIPT, ['--url', gateway.url, ...args], more);

/** A client that identified and was told READY. */
async function ready(): Promise<TestClient> {
  const client = await gateway.accept();
  expect(await client.take(Op.IDENTIFY)).toMatchObject({ token: TOKEN });
  client.dispatch('READY', { user: { username: 'ada' }, session_id: 'abc', guilds: [] });
  return client;
}

function message(channel_id: string, content: string) {
  return ['MESSAGE_CREATE', { id: '9', channel_id, content, author: { username: 'ben' } }] as const;
}

test('lines for people, until there were enough; the session ends with them', async () => {
  const ended = run(['--count', '2']);
  const client = await ready();
  client.dispatch(...message('2', 'hi \u001b[2J'));
  client.dispatch(...message('2', 'late'));
  const { code, stdout, stderr } = await ended;
  expect(stdout).toMatch(/^[0-9:]{8} READY {10}ada: .*\n[0-9:]{8} MESSAGE_CREATE #2 ben: hi\n$/);
  expect(stderr).toBe(`Listening at ${gateway.url} as ada.\n`);
  expect(code).toBe(0);
  expect(await client.closed).toBe(1000);
});

test('only events of a channel and of these names', async () => {
  const ended = run(['--channel', '2', '--types', 'MESSAGE_CREATE,CHANNEL_UPDATE', '--count', '2']);
  const client = await ready();
  client.dispatch(...message('3', 'elsewhere'));
  client.dispatch('MESSAGE_DELETE', { id: '9', channel_id: '2' });
  client.dispatch('CHANNEL_UPDATE', { id: '2', guild_id: '1', name: 'general' });
  client.dispatch(...message('2', 'here'));
  const { stdout } = await ended;
  expect(stdout.split('\n')).toEqual([
    expect.stringContaining('CHANNEL_UPDATE guild 1 #general'),
    expect.stringContaining('guild 1 #general ben: here'),
    '',
  ]);
});

test('--json is a line an event, the same each time', async () => {
  const ended = run(['--json', '--types', 'MESSAGE_CREATE', '--count', '1']);
  (await ready()).dispatch(...message('2', 'hi \u001b\u202e'));
  const { stdout } = await ended;
  expect(stdout.replace(/[0-9-]{10}T[0-9:.]{12}Z/, 'AT')).toBe(
    '{"at":"AT","s":2,"t":"MESSAGE_CREATE","d":{"id":"9","channel_id":"2","content":"hi \\u001b\\u202e",' +
      '"author":{"username":"ben"}}}\n',
  );
});

test('the token is taken from standard input, the address from the API, and --for ends it', async () => {
  const args = ['--token', '-', '--base-url', gateway.base_url, '--for', '1'];
  const ended = runScript(SCRIPT, args, { input: `${TOKEN}\n` });
  await ready();
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('READY') });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it in order, with 0', async (signal) => {
  const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, '--url', gateway.url];
  const child = spawn(process.execPath, flags, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  const client = await ready();
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await client.closed).toBe(1000);
});

test('a reader that leaves early is no error', async () => {
  const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, '--url', gateway.url];
  const child = spawn(process.execPath, flags, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  child.stdout.destroy();
  await ready();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

describe('what goes wrong is told with its exit code, and never the token', () => {
  test('1: the token is not accepted', async () => {
    const ended = run([]);
    const client = await gateway.accept();
    await client.take(Op.IDENTIFY);
    client.close(4004);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/does not accept this token.*\nLog in/);
    expect(stderr).not.toContain(TOKEN);
  });

  test('2: the command line is wrong', async () => {
    const { code, stdout, stderr } = await run(['--count', 'all']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      '--count must be a whole number from 1 to 1000000000.\nnpm run tail -- --help says more.\n',
    );
  });

  test('3: nobody answers at the address of the API', async () => {
    const args = ['--base-url', 'http://127.0.0.1:1'];
    const { code, stderr } = await runScript(SCRIPT, args, { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1: .*npm start/);
  });

  test('3: no Gateway answers', async () => {
    const { code, stderr } = await runScript(SCRIPT, ['--url', 'ws://127.0.0.1:1/'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('No Gateway answers at ws://127.0.0.1:1/');
  });
});

test('--help says what a token on the command line gives away', async () => {
  const { code, stdout } = await runScript(SCRIPT, ['--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/read by everybody on this machine in its list of processes/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
