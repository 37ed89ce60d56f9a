import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleClient } from '@gatehouse/cli/console/console-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, type RecordedRequest, recordingServer } from '../support/recording-server.ts';
import { runCommand } from '../support/run-command.ts';

const TOKEN = 'gho_test';

async function serve(answer: (request: RecordedRequest) => Answer | undefined) {
  const server = await recordingServer(answer);
  onTestFinished(server.close);
  const env = { GATEHOUSE_CONSOLE_URL: server.url, GATEHOUSE_TOKEN: TOKEN };
  return { ...server, env, run: (...args: string[]) => runCommand(args, { env }) };
}

describe('a request', () => {
  test('has the token, and values in its query are encoded', async () => {
    const { run, requests } = await serve(() => ({ body: { results: [] } }));
    const { code, stdout } = await run('search', "a&b=%' ü");
    expect([code, stdout]).toEqual([1, 'Nothing was found.\n']);
    const [request] = requests;
    expect(request).toMatchObject({ method: 'GET', authorization: `Bearer ${TOKEN}` });
    const asked = new URL(request?.path ?? '', 'http://x');
    expect([asked.pathname, [...asked.searchParams]]).toEqual(['/api/search', [['q', "a&b=%' ü"]]]);
  });

  test('of an action has its reason, and nothing that was not given', async () => {
    const { run, requests } = await serve(() => ({ body: { before: [] } }));
    const { stdout } = await run('limits', 'reset', 'account:1', '--reason', ' they asked ');
    expect(stdout).toBe('No bucket of account:1 had a level.\n');
    expect(requests).toMatchObject([
      { method: 'POST', path: '/api/limits/reset', body: { identity: 'account:1', reason: 'they asked' } },
    ]);
  });

  test('goes on page by page until the limit', async () => {
    const { run, requests } = await serve(({ path = '' }) => {
      const before = Number(new URL(path, 'http://x').searchParams.get('before') ?? 5);
      return {
        body: { items: [{ id: String(before - 1) }, { id: String(before - 2) }], next: String(before - 2) },
      };
    });
    const { stdout, stderr } = await run('guilds', 'find', '--limit', '3', '--json');
    expect(stdout).toBe('{"id":"4"}\n{"id":"3"}\n{"id":"2"}\n');
    expect(stderr).toBe('There are more: --limit 3 was reached.\n');
    expect(requests.map(({ path }) => path)).toEqual(['/api/guilds?q=', '/api/guilds?q=&before=3']);
  });

  test('follows no redirection with the token', async () => {
    const other = await serve(() => ({ body: {} }));
    const { run } = await serve(() => ({ status: 302, headers: { location: other.url } }));
    const { code, stderr } = await run('search', 'x');
    expect([code, stderr]).toEqual([3, expect.stringContaining('answered 302, but not as a console')]);
    expect(other.requests).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([
    [401, 1, 'operators add NAME --role ROLE'],
    [403, 1, 'An operator with a higher role may do this'],
    [404, 1, 'The message. (THE_CODE)'],
    [409, 1, 'The message. (THE_CODE)'],
    [429, 1, 'The message. (THE_CODE)'],
    [503, 3, 'The message. (THE_CODE)'],
  ])('%i ends with code %i, the message, where it came from and what to do', async (status, code, text) => {
    const { run, url } = await serve(() => ({
      status,
      body: { code: 'THE_CODE', message: 'The message.' },
    }));
    const ended = await run('accounts', 'suspend', '1', '--reason', 'spam');
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(text);
    expect(ended.stderr).toContain(`POST ${url}/api/accounts/1/suspend was answered ${status}.`);
    expect(ended.stderr).not.toContain(TOKEN);
  });

  test('400 names the wrong fields', async () => {
    const errors = [{ path: 'reason', code: 'BAD', message: 'Too long.' }];
    const { run } = await serve(() => ({
      status: 400,
      body: { code: 'INVALID_FORM_BODY', message: 'Invalid form body.', errors },
    }));
    const { code, stderr } = await run('guilds', 'disable', '1', '--reason', 'spam');
    expect([code, stderr]).toEqual([2, expect.stringContaining('\n  reason: Too long.\n')]);
  });

  test('that is no JSON is not a console’s', async () => {
    const { run } = await serve(() => ({ body: '<html>' }));
    const { code, stderr } = await run('jobs', 'list');
    expect([code, stderr]).toEqual([3, expect.stringContaining("Is this the console's URL?")]);
  });

  test('cannot send terminal control sequences', async () => {
    const { run } = await serve(({ path }) =>
      path?.startsWith('/api/search')
        ? { body: { results: [{ kind: 'account', id: '1', title: 'a\u001b[2J\u202eb' }] } }
        : { status: 404, body: { code: 'X', message: 'a\u001b[2J' } },
    );
    for (const args of [
      ['search', 'x'],
      ['search', 'x', '--json'],
      ['accounts', 'show', '1'],
    ]) {
      const { stdout, stderr } = await run(...args);
      expect(stdout + stderr).not.toMatch(/[\p{Bidi_Control}]|(?!\n)\p{Cc}/u);
    }
  });

  test('names services that have not confirmed an action', async () => {
    const { run } = await serve(() => ({ body: { ended_sessions: 1, pending: ['oauth2'] } }));
    const { code, stdout, stderr } = await run('accounts', 'suspend', '1', '--reason', 'spam');
    expect([code, stdout]).toEqual([0, 'Account 1 is suspended; 1 session ended.\n']);
    expect(stderr).toBe('Not confirmed yet by oauth2, which learn of it soon.\n');
  });
});

describe('without an answer', () => {
  test('a refused connection says where it asked and what to do', async () => {
    const { env, close } = await serve(() => undefined);
    await close();
    const { code, stderr } = await runCommand(['search', 'x'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain(`${env.GATEHOUSE_CONSOLE_URL}: The console does not answer: `);
    expect(stderr).toContain('name another with GATEHOUSE_CONSOLE_URL.');
  });

  test('a change that may have been made says so', async () => {
    const { env } = await serve(() => undefined);
    const client = new ConsoleClient({ env, signal: new AbortController().signal }, 100);
    await expect(client.get('/jobs')).rejects.toThrow(/no answer within 0\.1 s\.\n/);
    await expect(client.change('POST', '/jobs/run', {})).rejects.toThrow('may have been made');
  });

  test('a change whose connection breaks may have been made too, and a refused connection has made none', async () => {
    const broken = createServer((socket) => void socket.once('data', () => socket.destroy()));
    await new Promise<void>((listening) => broken.listen(0, '127.0.0.1', listening));
    const { port } = broken.address() as AddressInfo; // it listens on TCP
    const env = { GATEHOUSE_CONSOLE_URL: `http://127.0.0.1:${port}`, GATEHOUSE_TOKEN: TOKEN };
    const client = new ConsoleClient({ env, signal: new AbortController().signal });
    await expect(client.change('POST', '/jobs/run', {})).rejects.toThrow('may have been made');
    await expect(client.get('/jobs')).rejects.not.toThrow('may have been made');
    await new Promise((closed) => broken.close(closed));
    await expect(client.change('POST', '/jobs/run', {})).rejects.not.toThrow('may have been made');
  });
});

describe('the token', () => {
  test('is required', async () => {
    const { stderr, code } = await runCommand(['search', 'x'], {
      env: { GATEHOUSE_CONSOLE_URL: 'http://127.0.0.1:1' },
    });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('There is no token for the console at http://127.0.0.1:1.'),
    ]);
  });

  test('of another DATA_DIR is missed by the name of its file', async () => {
    const { stderr, code } = await runCommand(['search', 'x'], { env: { DATA_DIR: '/nowhere', PORT: '1' } });
    expect(code).toBe(2);
    expect(stderr).toContain('There is no /nowhere/console/token, which "npm start" writes.\nSet DATA_DIR');
  });

  test('is not sent in the clear beyond loopback', async () => {
    const env = { GATEHOUSE_CONSOLE_URL: 'http://console.example.com', GATEHOUSE_TOKEN: TOKEN };
    const { stderr, code } = await runCommand(['search', 'x'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('would get the token in the clear')]);
  });

  test('of a stack on this machine is in its DATA_DIR, beside the address of its console', async () => {
    const { url, requests } = await serve(() => ({ body: { results: [] } }));
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    mkdirSync(join(data, 'console'));
    writeFileSync(join(data, 'console', 'token'), 'gho_local\n', { mode: 0o600 });
    const record = { pid: process.pid, url: 'http://127.0.0.1:1', console_url: url, addresses: {} };
    writeFileSync(join(data, 'stack.json'), JSON.stringify(record));
    await runCommand(['search', 'x'], { env: { DATA_DIR: data } });
    expect(requests).toMatchObject([{ authorization: 'Bearer gho_local' }]);
  });

  test('of a profile is not sent to another console', async () => {
    const { url, requests } = await serve(() => ({ body: { results: [] } }));
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const env = { XDG_CONFIG_HOME: home };
    await runCommand(['profiles', 'add', 'prod', '--console-url', url, '--token', 'gho_prod'], { env });
    await runCommand(['search', 'x', '--profile', 'prod'], { env });
    expect(requests).toMatchObject([{ authorization: 'Bearer gho_prod' }]);
    const other = await serve(() => ({ body: { results: [] } }));
    const elsewhere = { ...env, GATEHOUSE_PROFILE: 'prod', GATEHOUSE_CONSOLE_URL: other.url };
    expect((await runCommand(['search', 'x'], { env: elsewhere })).code).toBe(2);
    expect(other.requests).toEqual([]);
  });
});

describe('webhooks send', () => {
  const WEBHOOK = '/api/v1/webhooks/12/secret-token';

  test('posts a message and prints its ID', async () => {
    const { run, url, requests } = await serve(() => ({ body: { id: '5', channel_id: '6' } }));
    const { code, stdout } = await run('webhooks', 'send', `${url}${WEBHOOK}`, '--content', 'hello');
    expect([code, stdout]).toEqual([0, 'Posted message 5 in channel 6.\n']);
    expect(requests).toMatchObject([
      { method: 'POST', path: `${WEBHOOK}?wait=true`, authorization: undefined, body: { content: 'hello' } },
    ]);
  });

  test('prints why it was refused, but never the token', async () => {
    const { url } = await serve(() => ({ status: 401, body: { code: 'UNAUTHORIZED', message: 'No.' } }));
    const input = `${url}${WEBHOOK}\n`;
    const { code, stderr } = await runCommand(['webhooks', 'send', '-', '--content', 'hello'], { input });
    expect([code, stderr]).toEqual([1, `${url}/api/v1/webhooks/12/… was answered 401: No. (UNAUTHORIZED)\n`]);
  });

  test("prints no path that is not a webhook's, and no URL with a password", async () => {
    const { url } = await serve(() => ({ status: 404, body: { message: 'No.' } }));
    const elsewhere = await runCommand(['webhooks', 'send', `${url}/services/secret`, '--content', 'hello']);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, `${url}/… was answered 404: No.\n`]);
    const input = `http://kim:secret@127.0.0.1:1${WEBHOOK}`;
    const { code, stderr } = await runCommand(['webhooks', 'send', '-', '--content', 'hello'], { input });
    expect([code, stderr]).toEqual([2, "A webhook's URL has no user and no password.\n"]);
  });

  test.each([
    ['no message', [], 'a message is missing'],
    ['two messages', ['--content', 'a', '--body', 'b'], 'cannot be used with option'],
    ['a missing file', ['--body', '/nowhere.json'], 'Cannot read /nowhere.json'],
  ])('with %s ends with code 2', async (_, args, text) => {
    const { code, stderr } = await runCommand(['webhooks', 'send', `http://127.0.0.1:1${WEBHOOK}`, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
