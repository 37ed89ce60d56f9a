import { type Connection, connect } from '@gatehouse/kit/rpc';
import { type CheckRequest, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { Client, credentials } from '@grpc/grpc-js';
import type { RateCase } from './rate.ts';

const BATCH = 64;
const ACCOUNTS = 200_000;
export const LASTING_ACCOUNTS = 40_000;
const OPTIONS = { timeoutMs: 10_000 };

/** Checks of two buckets, as on a route, for so many accounts that none reaches a limit. */
function twoBuckets(): CheckRequest {
  const account = `account:${Math.floor(Math.random() * ACCOUNTS)}`;
  return {
    sets: [
      {
        charges: [
          { bucket: 'channel:messages:read', identities: [account, 'channel:1'], cost: null },
          { bucket: 'user:settings:get', identities: [account], cost: null },
        ],
      },
    ],
  };
}

/** The same for buckets that live for minutes: 40,000 accounts, each up to ten times. */
export function twoLastingBuckets(): CheckRequest {
  const identities = [`account:${Math.floor(Math.random() * LASTING_ACCOUNTS)}`];
  return {
    sets: [
      {
        charges: [
          { bucket: 'report', identities, cost: null },
          { bucket: 'business:checkout', identities, cost: null },
        ],
      },
    ],
  };
}

/**
 * The service over each link, and an empty RPC of grpc-js. Degraded checks, which a late store causes, do not count.
 */
export function checkCases(addresses: { memory: string; onRedis: string; empty: string }): {
  cases: RateCase[];
  close(): void;
} {
  const stream = connect(RatelimitServiceDefinition, { address: addresses.memory });
  const unary = connect(RatelimitServiceDefinition, { address: addresses.memory, transport: 'unary' });
  const redis = connect(RatelimitServiceDefinition, { address: addresses.onRedis });
  const empty = new Client(addresses.empty, credentials.createInsecure());

  const check = (name: string, { client }: typeof stream): RateCase => ({
    name,
    concurrency: 64,
    once: async () => {
      const { degraded } = await client.check(twoBuckets(), OPTIONS);
      return degraded ? 0 : 1;
    },
  });
  return {
    cases: [
      manyChecks('CheckMany of 64, memory', stream),
      manyChecks('CheckMany of 64, Redis', redis),
      check('Check, call stream, memory', stream),
      check('Check, call stream, Redis', redis),
      check('Check, unary, memory', unary),
      { name: 'grpc-js unary, empty', concurrency: 64, once: () => emptyCall(empty) },
    ],
    close: () => {
      for (const connection of [stream, unary, redis]) connection.close();
      empty.close();
    },
  };
}

/** Two-bucket checks in batches of 64, four batches in flight. */
export function manyChecks(
  name: string,
  { client }: Connection<typeof RatelimitServiceDefinition>,
  one = twoBuckets,
): RateCase {
  return {
    name,
    concurrency: 4,
    once: async () => {
      const checks = Array.from({ length: BATCH }, one);
      const { answers } = await client.checkMany({ checks }, OPTIONS);
      return answers.filter(({ degraded }) => !degraded).length;
    },
  };
}

const same = (bytes: Buffer): Buffer => bytes;
const NOTHING = Buffer.alloc(0);

function emptyCall(client: Client): Promise<number> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest('/bench.Empty/Call', same, same, NOTHING, (error) => {
      if (error === null) resolve(1);
      else reject(error);
    });
  });
}
