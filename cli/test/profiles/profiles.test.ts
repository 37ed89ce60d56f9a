import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';

const TOKEN = 'gho_abcdefgh';

let env: NodeJS.ProcessEnv;
let file: string;
beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-profiles-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  // Nothing runs in this DATA_DIR.
  env = { XDG_CONFIG_HOME: home, DATA_DIR: join(home, 'data') };
  file = join(home, 'gatehouse', 'config.json');
});

const run = (...args: string[]) => runCommand(['profiles', ...args], { env });
const list = async () => {
  const { stdout } = await run('list', '--json');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};
function write(text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

describe('a profile', () => {
  test('is stored for its user only, and never printed with its token', async () => {
    const added = await runCommand(
      ['profiles', 'add', 'prod', '--console-url', 'https://console.example.com/', '--token', '-'],
      { env, input: `${TOKEN}\n` },
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      profiles: { prod: { console_url: 'https://console.example.com', token: TOKEN } },
      default: 'local',
    });
    for (const more of [[], ['--json']]) {
      const { stdout } = await run('list', ...more);
      expect(stdout).toContain('https://console.example.com');
      expect(stdout).not.toContain(TOKEN);
    }
  });

  test('keeps settings that are not given again; its token stays at its console only', async () => {
    await run('add', 'prod', '--console-url', 'https://a.example.com', '--token', TOKEN);
    await run('add', 'prod', '--address', 'auth=10.0.0.1:8082,10.0.0.2:8082');
    await run('add', 'prod', '--address', 'chat=10.0.0.3:8083', '--rpc-tls-dir', '/etc/tls');
    const addresses = { auth: '10.0.0.1:8082,10.0.0.2:8082', chat: '10.0.0.3:8083' };
    expect((await list())[1]).toMatchObject({ addresses, rpc_tls_dir: '/etc/tls', has_token: true });
    await run('add', 'prod', '--console-url', 'https://b.example.com');
    expect((await list())[1]).toMatchObject({ addresses, has_token: false });
  });

  test('is used by default, by GATEHOUSE_PROFILE or by --profile', async () => {
    await run('add', 'prod', '--address', 'auth=127.0.0.1:1');
    await run('add', 'test', '--address', 'auth=127.0.0.1:2');
    const asked = async (more: NodeJS.ProcessEnv, ...args: string[]) => {
      const { stderr } = await runCommand(['auth', 'events', ...args], { env: { ...env, ...more } });
      return stderr.split(': ')[0];
    };
    expect(await asked({ PORT: '9' })).toBe('127.0.0.1:11');
    await run('use', 'prod');
    expect(await asked({})).toBe('127.0.0.1:1');
    expect(await asked({ GATEHOUSE_PROFILE: 'test' })).toBe('127.0.0.1:2');
    expect(await asked({ GATEHOUSE_PROFILE: 'test', AUTH_ADDRESS: '127.0.0.1:3' })).toBe('127.0.0.1:3');
    // Nothing of the environment leads a named profile elsewhere.
    expect(await asked({ AUTH_ADDRESS: '127.0.0.1:3' }, '--profile', 'test')).toBe('127.0.0.1:2');
    expect(await asked({ PORT: '9' }, '--profile', 'local')).toBe('127.0.0.1:11');
  });

  test('never leads to the stack on this machine where it lacks a setting', async () => {
    await run('add', 'prod', '--address', 'auth=127.0.0.1:1');
    const { code, stderr } = await runCommand(['limits', 'top', '--profile', 'prod'], { env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Profile prod has no address of ratelimit. Name one with --address'),
    ]);
    expect((await runCommand(['tail', '--token', 'x', '--profile', 'prod'], { env })).stderr).toContain(
      'Profile prod has no base_url',
    );
    expect((await runCommand(['search', 'x', '--profile', 'prod'], { env })).stderr).toContain(
      'Profile prod has no console',
    );
  });

  test('can be removed; the default is then the stack on this machine', async () => {
    await run('add', 'prod', '--base-url', 'https://chat.example.com');
    await run('use', 'prod');
    expect(await list()).toMatchObject([{ used: false }, { used: true }]);
    expect((await run('remove', 'prod')).code).toBe(0);
    expect(await list()).toEqual([{ name: 'local', used: true, has_token: false }]);
  });
});

describe('a mistake ends with code 2:', () => {
  test.each([
    ['an unknown profile', ['use', 'prod'], 'There is no profile prod. There are: local.'],
    ['removing an unknown one', ['remove', 'prod'], 'There is no profile prod.'],
    ['a bad name', ['add', '../prod', '--base-url', 'https://a.example.com'], 'It must begin with'],
    [
      'the name of the own stack',
      ['add', 'local', '--base-url', 'https://a.example.com'],
      'local is the stack',
    ],
    ['no setting', ['add', 'prod'], 'Nothing is set'],
    ['a token for no console', ['add', 'prod', '--token', TOKEN], 'A token is for one console'],
    ['an unknown service', ['add', 'prod', '--address', 'mail=h:1'], 'It must be SERVICE=host:port'],
    ['a URL of another protocol', ['add', 'prod', '--console-url', 'ftp://a'], 'http:// or https://'],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });

  test.each([
    ['no JSON', '{', 'it is not JSON'],
    ['no profiles', '[]', 'it has no object "profiles"'],
    ['an unknown setting', '{"profiles":{"a":{"password":"x"}}}', 'profile a: password is no setting'],
    ['a wrong URL', '{"profiles":{"a":{"console_url":"x"}}}', 'profile a: console_url must be a URL'],
    ['a wrong token', `{"profiles":{"a":{"token":"${TOKEN} "}}}`, 'profile a: token must be a token'],
    ['a wrong address', '{"profiles":{"a":{"addresses":{"auth":1}}}}', 'profile a: addresses has auth'],
    ['a wrong default', '{"profiles":{},"default":"b"}', '"default" names no profile'],
  ])('a file with %s', async (_, text, problem) => {
    write(text);
    const { code, stderr } = await run('list');
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(stderr).toContain(file);
    expect(stderr).not.toContain(TOKEN);
  });

  test('a file that other users may read', async () => {
    write('{"profiles":{}}');
    chmodSync(file, 0o640);
    const { code, stderr } = await run('list');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${file}`)]);
  });
});
