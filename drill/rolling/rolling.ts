import { setTimeout as sleep } from 'node:timers/promises';
import { isWhole, type Sights } from '../sessions/sights-of-kills.ts';
import type { Failure } from '../traffic/traffic.ts';
import { type LoadOptions, underLoad } from '../traffic/under-load.ts';

export interface RollingOptions extends LoadOptions {
  /** How often every replica is started anew. */
  readonly rounds: number;
  /** Which processes; all unless given. */
  readonly only?: (process: string) => boolean;
}

export interface RollingResult {
  readonly requests: number;
  readonly restarts: readonly Restart[];
  readonly failures: readonly Failure[];
  /** Whether no request failed, and every session was told of all, once and in turn. */
  readonly isWell: boolean;
}

/** What was seen while a process was started anew. */
export interface Restart {
  readonly process: string;
  readonly seconds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** How often what came of which requests: `post a message 503` */
  readonly failed: Readonly<Record<string, number>>;
  /** What clients of the Gateway saw. */
  readonly sights: Sights;
}

interface Seen extends Omit<Restart, 'sights'> {
  readonly startedAt: number;
}

/** Before the first restart and after each: clients find a new process within half a second, Envoy within one. */
const SETTLE_MS = 1_500;
const WARM_UP_MS = 8_000;

/** Starts each process anew in turn, by SIGTERM and a new start, under a steady load. */
export async function rolling(options: RollingOptions): Promise<RollingResult> {
  const { rounds, only = () => true, say } = options;
  return underLoad(options, async ({ fleet, load, watchers }) => {
    const restarts: Seen[] = [];
    let told = 0;

    async function observe(process: string, act: () => Promise<void>): Promise<void> {
      const startedAt = performance.now();
      await act();
      const failed = count(load.failures.slice(told));
      told = load.failures.length;
      const latencies = load.takeLatencies();
      const at = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)] ?? Number.NaN);
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      restarts.push({ startedAt, process, seconds, p50_ms: at(0.5), p99_ms: at(0.99), failed });
      say(
        `${process}: ${seconds} s, p99 ${at(0.99)} ms${told > 0 ? `, failed so far: ${told} ${JSON.stringify(failed)}` : ''}`,
      );
    }

    await observe('nothing', () => sleep(WARM_UP_MS));
    for (let round = 0; round < rounds; round++) {
      for (const replicas of Object.values(fleet.replicas)) {
        for (const replica of replicas.filter(({ name }) => only(name))) {
          await observe(replica.name, async () => {
            await replica.stop();
            await replica.start();
            await fleet.settled();
            await sleep(SETTLE_MS);
          });
        }
      }
    }
    await observe('the end', async () => {
      await load.stop();
      await watchers.settle();
    });
    const sights = await watchers.sights(restarts.map(({ startedAt }) => startedAt));
    const isWell = load.failures.length === 0 && sights.every(isWhole);
    if (!isWell) {
      for (const [line, times] of summed(fleet.troubles())) say(`Envoy: ${line} x ${times}`);
      for (const line of fleet.warnings()) say(line.slice(0, 1_500));
    }
    return {
      requests: load.sent(),
      restarts: sights.flatMap((seen, index) => shown(restarts[index], seen)),
      failures: load.failures,
      isWell,
    };
  });
}

function shown(restart: Seen | undefined, sights: Sights): Restart[] {
  if (restart === undefined) return [];
  const { startedAt, ...rest } = restart;
  return [{ ...rest, sights }];
}

function summed(lines: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of lines) sums.set(line, (sums.get(line) ?? 0) + 1);
  return sums;
}

function count(failures: readonly Failure[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, answer } of failures)
    counts[`${kind} ${answer}`] = (counts[`${kind} ${answer}`] ?? 0) + 1;
  return counts;
}
