import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Op } from '../../src/gateway-client/frames.ts';
import { runCommand, startCommand } from '../support/run-command.ts';
import { type TestClient, type TestGateway, testGateway } from '../support/test-gateway.ts';

const TOKEN = 'gth_secret';
const env = { GATEWAY_TOKEN: TOKEN };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(() => gateway.close());

const run = (...args: string[]) => runCommand(['tail', '--url', gateway.url, ...args], { env });

/** Answers the Identify of the next client with READY. */
async function ready(): Promise<TestClient> {
  const client = await gateway.accept();
  expect(await client.take(Op.IDENTIFY)).toMatchObject({ token: TOKEN });
  client.dispatch('READY', { user: { username: 'ada' }, session_id: 'abc', guilds: [] });
  return client;
}

function message(channel_id: string, content: string) {
  return ['MESSAGE_CREATE', { id: '9', channel_id, content, author: { username: 'ben' } }] as const;
}

test('prints lines for people up to --count, and ends the session', async () => {
  const ended = run('--count', '2');
  const client = await ready();
  client.dispatch(...message('2', 'hi \u001b[2J'));
  client.dispatch(...message('2', 'late'));
  const { code, stdout, stderr } = await ended;
  expect(stdout).toMatch(/^[0-9:]{8} READY {10}ada\n[0-9:]{8} MESSAGE_CREATE #2 ben: hi\n$/);
  expect(stderr).toBe(`Listening at ${gateway.url} as ada.\n`);
  expect(code).toBe(0);
  expect(await client.closed).toBe(1000);
});

test('--channel and --types filter the events', async () => {
  const ended = run('--channel', '2,4', '--types', 'message_create, CHANNEL_UPDATE', '--count', '2');
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

test('--json prints one line for each event, with members in the same order', async () => {
  const ended = run('--json', '--types', 'MESSAGE_CREATE', '--count', '1');
  (await ready()).dispatch(...message('2', 'hi \u001b\u202e'));
  const { stdout } = await ended;
  expect(stdout.replace(/[0-9-]{10}T[0-9:.]{12}Z/, 'AT')).toBe(
    '{"at":"AT","s":2,"t":"MESSAGE_CREATE","d":{"id":"9","channel_id":"2","content":"hi \\u001b\\u202e",' +
      '"author":{"username":"ben"}}}\n',
  );
});

test('reads the token from standard input and the URL from the API; --for ends it', async () => {
  const args = ['tail', '--token', '-', '--base-url', `${gateway.base_url}/api/v1/`, '--for', '4'];
  const ended = runCommand(args, { input: `${TOKEN}\nmore\n` });
  await ready();
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('READY') });
});

test('options come before the environment', async () => {
  const environment = { GATEWAY_TOKEN: 'other', GATEWAY_URL: 'ws://127.0.0.1:1/' };
  const args = ['tail', '--token', TOKEN, '--base-url', gateway.base_url, '--count', '1'];
  const ended = runCommand(args, { env: environment });
  await ready();
  expect((await ended).code).toBe(0);
});

test('an interrupt ends the session, with 0', async () => {
  const tail = startCommand(['tail', '--url', gateway.url], { env });
  const client = await ready();
  await expect.poll(tail.stdout).toContain('READY');
  tail.interrupt();
  expect((await tail.ended).code).toBe(0);
  expect(await client.closed).toBe(1000);
});

describe('a failure has its exit code, and never shows the token:', () => {
  test('1: the token is not accepted', async () => {
    const ended = run();
    const client = await gateway.accept();
    await client.take(Op.IDENTIFY);
    client.close(4004);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/does not accept this token.*\nLog in/);
    expect(stderr).not.toContain(TOKEN);
  });

  test('3: the API does not answer', async () => {
    const { code, stderr } = await runCommand(['tail', '--base-url', 'http://127.0.0.1:1'], { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1: .*npm start\.\n.*--base-url/);
  });

  test('3: no Gateway answers', async () => {
    const { code, stderr } = await runCommand(['tail', '--url', 'ws://127.0.0.1:1/'], { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/No Gateway answers at ws:\/\/127\.0\.0\.1:1\/.*\n.*--url/);
  });

  test.each([
    ['a channel without an ID', ['--channel', 'general'], 'It must be the ID of a channel.'],
    ['an unknown event', ['--types', 'MESAGE_CREATE'], 'There is no event "MESAGE_CREATE"'],
    ['no event', ['--types', ''], 'There is no event ""'],
    ['a count of 0', ['--count', '0'], 'It must be a whole number from 1 to 1000000000.'],
    ['half a second', ['--for', '0.5'], 'It must be a whole number'],
    ['more than a week', ['--for', '604801'], 'from 1 to 604800'],
    ['a URL of HTTP', ['--url', 'http://a/'], 'It must be a URL with ws:// or wss://.'],
    ['a base URL of WebSockets', ['--base-url', 'ws://a/'], 'It must be a URL with http:// or https://.'],
    ['both URLs', ['--url', 'ws://a/', '--base-url', 'http://a'], 'cannot be used with option'],
    ['an argument', ['general'], 'too many arguments'],
    ['control characters', ['--channel', '\u001b[2J'], "'\\u{1b}[2J'"],
    ['an empty token', ['--token', ''], 'A token is missing'],
    ['a token with a typing error', ['--token', 'sécret'], 'characters that no token has'],
    ['a token beyond all bounds', ['--token', 'x'.repeat(1_001)], 'too long'],
    ['no token on standard input', ['--token', '-'], 'The token is empty.'],
  ])('2: %s', async (_, args, text) => {
    const { code, stdout, stderr } = await runCommand(['tail', ...args], { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
    expect(stderr).not.toContain('cret');
  });

  test('2: no token, or no URL in GATEWAY_URL', async () => {
    expect((await runCommand(['tail'])).stderr).toContain('A token is missing');
    const { code, stderr } = await runCommand(['tail'], { env: { ...env, GATEWAY_URL: 'here' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('GATEWAY_URL must be a URL')]);
  });
});
