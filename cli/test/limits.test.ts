import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { readConfig } from '@gatehouse/ratelimit/config';
import { start } from '@gatehouse/ratelimit/start';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand, startCommand } from './support/run-command.ts';

const CONFIG = readConfig({ LISTEN: '127.0.0.1:0', LOG_LEVEL: 'silent' });

let service: Running;
let webhook: string;
let webhooks = 0;

beforeAll(async () => {
  // A clock that stands still: nothing drains between two commands.
  service = await start(CONFIG, { log: silentLogger, now_us: () => 1_000_000 });
});
afterAll(() => service.close());
beforeEach(() => {
  webhook = `webhook:${++webhooks}`;
});

const ask = (...args: string[]) =>
  runCommand(['limits', ...args], { env: { RATELIMIT_ADDRESS: service.address } });

const json = async (...args: string[]) => {
  const { code, stdout } = await ask(...args, '--json');
  return { code, answer: JSON.parse(stdout) };
};

describe('check', () => {
  test('charges a bucket: exit code 0 if admitted, 1 with the wait if denied', async () => {
    const full = await ask('check', 'webhook:execute', webhook, '--cost', '60');
    expect(full).toEqual({ code: 0, stdout: 'admitted: 60 tokens of webhook:execute\n', stderr: '' });
    const denied = await ask('check', 'webhook:execute', webhook);
    expect(denied).toEqual({
      code: 1,
      stdout:
        'denied: webhook:execute admits 1 token in 1 s\n' +
        '        limit 60, completely empty in 1 min 0 s\n',
      stderr: '',
    });
  });

  test('says the same as JSON', async () => {
    const asked = { bucket: 'webhook:execute', identities: [webhook], cost: 60 };
    expect(await json('check', 'webhook:execute', webhook, '--cost', '60')).toEqual({
      code: 0,
      answer: { ...asked, admitted: true, degraded: false, denial: null },
    });
    expect(await json('check', 'webhook:execute', webhook)).toEqual({
      code: 1,
      answer: {
        ...asked,
        cost: 1,
        admitted: false,
        degraded: false,
        denial: {
          bucket: 'webhook:execute',
          limit: 60,
          retry_after_us: 1_000_000,
          empty_after_us: 60_000_000,
        },
      },
    });
  });
});

describe('explain', () => {
  test('shows the level of a bucket and how a charge would be decided, and charges nothing', async () => {
    await ask('check', 'webhook:execute', webhook, '--cost', '58');
    for (let i = 0; i < 2; i++) {
      const { code, stdout } = await ask('explain', 'webhook:execute', webhook, '--cost', '2');
      expect(code).toBe(0);
      expect(stdout.split('\n')).toEqual([
        'webhook:execute: 60 per 60 s by webhook; without its store: local',
        `${webhook}: 2 of 60 left, completely empty in 58 s`,
        '2 tokens would be admitted now',
        expect.stringMatching(/^decided by memory, under revision [0-9a-f]{16} of the rules$/),
        '',
      ]);
    }
    const { code, stdout } = await ask('explain', 'webhook:execute', webhook, '--cost', '3');
    expect(code).toBe(1);
    expect(stdout).toContain('3 tokens would be denied for 1 s\n');
  });

  test('gives all names of a row, and the parts of its key', async () => {
    const { stdout } = await ask('explain', 'auth:emailchg_start', 'account:1');
    expect(stdout).toContain('email_change:orig / auth:emailchg_start: 3 per 900 s by account');
    const { stdout: two } = await ask('explain', 'channel:read', 'account:1', 'channel:2');
    expect(two).toContain('channel:read: 100 per 10 s by account + channel');
    expect(two).toContain('account:1 + channel:2: 100 of 100 left, empty\n');
  });

  test('says the same as JSON', async () => {
    await ask('check', 'webhook:execute', webhook, '--cost', '60');
    expect(await json('explain', 'webhook:execute', webhook)).toEqual({
      code: 1,
      answer: {
        bucket: 'webhook:execute',
        aliases: [],
        kind: 'leaky_bucket',
        limit: 60,
        window_seconds: 60,
        key: ['webhook'],
        policy: 'local',
        identities: [webhook],
        cost: 1,
        remaining: 0,
        retry_after_us: 1_000_000,
        empty_after_us: 60_000_000,
        remembered: false,
        admitted: false,
        store: 'memory',
        revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
  });
});

describe('top', () => {
  test('--once shows decisions, and no identity', async () => {
    await ask('check', 'webhook:update', webhook, '--cost', '20');
    await ask('check', 'webhook:update', webhook);
    const { code, stdout } = await ask('top', '--once');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^memory, up\nrunning for .*\n[0-9]+ checks, 0 degraded, 0 from remembered denials\n/,
    );
    expect(stdout).toMatch(/^BUCKET +ADMITTED +DENIED +DENIED OF ALL$/m);
    expect(stdout).toMatch(/^webhook:update +1 +1 +50\.0%$/m);
    expect(stdout).not.toContain(webhook);
  });

  test('--once as JSON is one object', async () => {
    await ask('check', 'webhook:read', webhook);
    const { code, answer } = await json('top', '--once');
    expect(code).toBe(0);
    expect(answer).toMatchObject({ store: 'memory', store_up: true, degraded: 0, checks_per_second: null });
    expect(answer.buckets).toContainEqual({ bucket: 'webhook:read', admitted: 1, denied: 0, shadowed: 0 });
  });

  test('prints a sample every second until it is interrupted, and ends with 0', async () => {
    const top = startCommand(['limits', 'top', '--json', '--address', service.address]);
    await expect.poll(() => top.stdout().split('\n').length).toBeGreaterThan(2);
    top.interrupt();
    const { code, stdout, stderr } = await top.ended;
    expect([code, stderr]).toEqual([0, '']);
    const samples = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(samples.map(({ checks_per_second }) => typeof checks_per_second).slice(0, 2)).toEqual([
      'object',
      'number',
    ]);
  });
});

describe('a mistake ends with code 2, on standard error:', () => {
  test.each([
    ['no bucket', ['check'], "missing required argument 'bucket'"],
    ['a cost of 0', ['check', 'report', 'account:1', '--cost', '0'], 'It must be a whole number from 1'],
    ['a cost of words', ['explain', 'report', 'account:1', '--cost', 'much'], 'It must be a whole number'],
    ['a cost beyond 32 bits', ['check', 'report', 'account:1', '--cost', '4294967296'], 'whole number'],
    ['a cost of top', ['top', '--cost', '1'], "unknown option '--cost'"],
    ['--once elsewhere', ['check', 'report', 'account:1', '--once'], "unknown option '--once'"],
    ['an address without a port', ['top', '--address', 'here'], 'It must be host:port'],
    ['an unknown bucket', ['check', 'no:such', 'account:1'], 'no such bucket'],
    ['too few identities', ['explain', 'channel:read', 'account:1'], 'account, channel'],
    ['a cost above the limit', ['check', 'report', 'account:1', '--cost', '11'], '1 to 10'],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await ask(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });
});
