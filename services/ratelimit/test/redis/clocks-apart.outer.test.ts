import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SteppedClock, steppedClock } from '@gatehouse/dev-env/processes/stepped-clock';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { connect } from '@gatehouse/kit/rpc';
import { type Charge, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RatelimitProcess, startRatelimitProcess } from '../hostile-streams/ratelimit-process.ts';
import { BUILT_IN_RULES, KEY_SECRET, LONG_TIMEOUT, type Peer } from '../support.ts';

const first = steppedClock();
const second = first && steppedClock();
if (second === undefined)
  process.stderr.write('SKIPPED: setting the clocks of processes needs a C compiler (cc) on PATH\n');

const MINUTE_MS = 60_000;
const OFFSETS_MS = [7 * MINUTE_MS, -7 * MINUTE_MS] as const;
const CALLERS = 64;
const LIMIT = 20;
/** A lease's minute is much shorter than the difference of the clocks. Nothing else drains or ends during a test. */
const ROWS = {
  exports: { kind: 'concurrency', limit: LIMIT, window_seconds: 60, key: ['account'] },
  windows: { kind: 'fixed_window', limit: LIMIT, window_seconds: 90 * 86_400, key: ['account'] },
  leaky: { limit: LIMIT, window_seconds: 90 * 86_400, key: ['account'] },
};

describe.skipIf(second === undefined || noRedisProgram())(
  'two processes whose clocks are 14 minutes apart, on one Redis',
  () => {
    let clocks: readonly SteppedClock[];
    let redis: RedisServer;
    let processes: RatelimitProcess[];
    let peers: Peer[];
    let folder: string;
    let names = 0;

    beforeAll(async () => {
      if (first === undefined || second === undefined) throw new Error('these tests are skipped');
      clocks = [first, second];
      for (const [i, offset_ms] of OFFSETS_MS.entries()) clocks[i]?.step(offset_ms);
      folder = await mkdtemp(join(tmpdir(), 'gatehouse-clocks-'));
      const rules = join(folder, 'rules.json');
      await writeFile(
        rules,
        JSON.stringify({ ...JSON.parse(await readFile(BUILT_IN_RULES, 'utf8')), ...ROWS }),
      );
      redis = await redisServer();
      processes = await Promise.all(
        clocks.map(({ env }) =>
          startRatelimitProcess({
            ...env,
            REDIS_URL: redis.url,
            RATELIMIT_KEY_SECRET: KEY_SECRET,
            RATELIMIT_REPLICAS: '2',
            RATELIMIT_RULES_FILE: rules,
            REDIS_TIMEOUT_MS: '5000',
          }),
        ),
      );
      peers = processes.map(({ address }) => connect(RatelimitServiceDefinition, { address }));
    });
    afterAll(async () => {
      for (const peer of peers ?? []) peer.close();
      for (const each of processes ?? []) each.kill('SIGKILL');
      await Promise.all((processes ?? []).map(({ ended }) => ended));
      await redis?.close();
      for (const clock of [first, second]) clock?.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    });

    function client(caller: number) {
      const peer = peers[caller % peers.length];
      if (peer === undefined) throw new Error('no process');
      return peer.client;
    }
    function charge(bucket: keyof typeof ROWS, account: string, lease_id?: string): Charge {
      return { bucket, identities: [account], cost: 1, lease_id: lease_id ?? null };
    }
    /** The callers that are admitted, of 64 of both processes. */
    async function admitted(chargesOf: (caller: number) => Charge[]): Promise<number[]> {
      const responses = await Promise.all(
        Array.from({ length: CALLERS }, (_, caller) =>
          client(caller).check({ sets: [{ charges: chargesOf(caller) }] }, LONG_TIMEOUT),
        ),
      );
      expect(responses.filter(({ degraded }) => degraded)).toEqual([]);
      return responses.flatMap(({ denial }, caller) => (denial === null ? [caller] : []));
    }
    const somebody = () => `account:${++names}`;

    test('are those clocks', async () => {
      for (const [i, offset_ms] of OFFSETS_MS.entries()) {
        const env = { ...process.env, ...clocks[i]?.env };
        const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'Date.now()'], { env });
        expect(Math.abs(Number(stdout) - Date.now() - offset_ms)).toBeLessThan(MINUTE_MS);
      }
    });

    test('admit exactly the limit of a leaky bucket and of a fixed window, and deny for the same time', async () => {
      for (const bucket of ['leaky', 'windows'] as const) {
        const account = somebody();
        expect(await admitted(() => [charge(bucket, account)])).toHaveLength(LIMIT);
        expect(await admitted(() => [charge(bucket, account)])).toEqual([]);
        const waits_us = await Promise.all(
          [0, 1].map(async (caller) => {
            const { states } = await client(caller).peek(
              { charges: [charge(bucket, account)] },
              LONG_TIMEOUT,
            );
            return states[0]?.retry_after_us ?? Number.NaN;
          }),
        );
        expect(Math.abs((waits_us[0] ?? Number.NaN) - (waits_us[1] ?? Number.NaN))).toBeLessThan(
          MINUTE_MS * 1000,
        );
      }
    });

    test('hold exactly the limit of leases, which no clock but Redis’s ends', async () => {
      const account = somebody();
      const lease = (caller: number) => charge('exports', account, `job ${caller}`);
      const holders = await admitted((caller) => [lease(caller)]);
      expect(holders).toHaveLength(LIMIT);
      // The other process renews each, and admits nobody else.
      expect(await admitted((caller) => [lease((caller + 1) % CALLERS)])).toHaveLength(LIMIT);
      const { states } = await client(0).peek({ charges: [charge('exports', account)] }, LONG_TIMEOUT);
      expect(states).toMatchObject([{ remaining: 0 }]);
      for (const holder of holders) {
        await client(holder + 1).refund({ charges: [lease(holder)] }, LONG_TIMEOUT);
      }
      expect(await admitted((caller) => [charge('exports', account, `next ${caller}`)])).toHaveLength(LIMIT);
    });

    test('charge a set of all kinds as a whole or not at all', async () => {
      const account = somebody();
      const set = (caller: number) => [
        charge('exports', account, `job ${caller}`),
        charge('windows', account),
        charge('leaky', account),
      ];
      expect(await admitted(set)).toHaveLength(LIMIT);
      const { states } = await client(1).peek(
        { charges: [charge('exports', account), charge('windows', account), charge('leaky', account)] },
        LONG_TIMEOUT,
      );
      expect(states.map(({ remaining }) => remaining)).toEqual([0, 0, 0]);
    });
  },
);
