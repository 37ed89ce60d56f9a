import { readFileSync } from 'node:fs';
import { silentLogger } from '@gatehouse/kit/log';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { parseReference } from '../src/reference/reference.ts';
import { groupOf, STORE_SHARES } from '../src/reference/store-shares.ts';
import { start } from '../src/start.ts';

const PLACES = 4000;
const EIGHTH = PLACES / 8;
const opened: (() => unknown)[] = [];

beforeEach(() => {
  opened.length = 0;
});

afterEach(async () => {
  for (const close of opened.reverse()) await close();
});

/** A service with few slots and a stopped clock, and helpers for its tests. */
async function small() {
  const config = readConfig({ LISTEN: '127.0.0.1:0', RATELIMIT_MAX_BUCKETS: String(PLACES) });
  const service = await start(config, { log: silentLogger, now_us: () => 1_000_000 });
  const { client, close } = connect(RatelimitServiceDefinition, { address: service.address });
  opened.push(service.close, close);

  /** The number of admitted charges of one bucket name. */
  async function admitted(bucket: string, identities: readonly string[], cost = 1): Promise<number> {
    let count = 0;
    for (let from = 0; from < identities.length; from += 250) {
      const checks = identities
        .slice(from, from + 250)
        .map((identity) => ({ sets: [{ charges: [{ bucket, identities: [identity], cost }] }] }));
      const { answers } = await client.checkMany({ checks }, { timeoutMs: 20_000 });
      count += answers.filter(({ denial }) => denial === null || denial === undefined).length;
    }
    return count;
  }

  return { admitted };
}

const many = (count: number, name: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => name(n));

describe('a flood of new identities into a full store', () => {
  test.each([
    ['login names', 'auth:login:email', (n: number) => `nobody${n}@example.com`],
    ['e-mail addresses', 'password_reset:email', (n: number) => `nobody${n}@example.com`],
    ['unknown IDs of webhooks', 'webhook:message_get', (n: number) => `webhook:${n}`],
    ['IDs of applications', 'oauth_dev:clients:rotate_secret', (n: number) => `application:${n}`],
  ])('of %s takes no bucket of an account, an address or a webhook', async (_, flooded, name) => {
    const { admitted } = await small();
    const accounts = many(EIGHTH, (n) => `account:${n}`);
    const addresses = many(EIGHTH, (n) => `ip:192.0.2.${n}`);
    const webhooks = many(EIGHTH / 2, (n) => `webhook:real${n}`);
    await admitted('auth:sudo_mfa', accounts, 10);
    await admitted('login:ip', addresses, 10);
    await admitted('webhook:execute', webhooks, 60);
    await admitted(flooded, many(4 * PLACES, name));
    expect(await admitted('auth:sudo_mfa', accounts)).toBe(0);
    expect(await admitted('login:ip', addresses)).toBe(0);
    expect(await admitted('webhook:execute', webhooks)).toBe(0);
    expect(await admitted('auth:sudo_mfa', ['account:new'], 10)).toBe(1);
    expect(await admitted('login:ip', ['ip:192.0.3.1'], 10)).toBe(1);
    expect(await admitted('webhook:execute', ['webhook:new'], 60)).toBe(1);
  });

  test('allows no further guess at a password', async () => {
    const { admitted } = await small();
    const login = 'auth:login:email';
    expect(
      await admitted(
        login,
        many(7, () => 'ann@example.com'),
      ),
    ).toBe(5);
    for (let round = 0; round < 4; round++) {
      await admitted(
        login,
        many(PLACES, (n) => `nobody${round}.${n}@example.com`),
      );
      expect(await admitted(login, ['ann@example.com'])).toBe(0);
    }
  });

  test('leaves a name without a bucket its first attempt, until most buckets hold four tokens', async () => {
    const { admitted } = await small();
    const login = 'auth:login:email';
    const names = many(PLACES, (n) => `nobody${n}@example.com`);
    await admitted(login, names);
    await admitted(
      login,
      many(PLACES / 4, (n) => `another${n}@example.com`),
    );
    expect(await admitted(login, ['ann@example.com'])).toBe(1);
  });
});

test('every row belongs to the group of its key’s easiest part to invent', () => {
  const file = readFileSync(new URL(import.meta.resolve('@gatehouse/proto/buckets.json')), 'utf8');
  const groups = new Map(parseReference(file).rules.map(({ name, group }) => [name, group]));
  expect(STORE_SHARES.reduce((sum, share) => sum + share, 0)).toBe(8);
  for (const [name, key] of [
    ['global', 'client'],
    ['login:ip', 'ip'],
    ['webhook:execute', 'webhook'],
    ['webhook:create', 'channel'],
    ['auth:login:email', 'login_name'],
  ] as const) {
    expect(groups.get(name)).toBe(groupOf([key]));
  }
  expect(groupOf(['account', 'channel'])).toBe(groupOf(['channel']));
  expect(new Set(groups.values()).size).toBe(STORE_SHARES.length);
});
