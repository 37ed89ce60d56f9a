import { setTimeout as sleep } from 'node:timers/promises';
import { countByName } from '../figures.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { isComplete, type KillObservation } from '../sessions/kill-observations.ts';
import type { Failure, Traffic } from '../traffic/traffic.ts';
import { type LoadOptions, underLoad } from '../traffic/under-load.ts';

export interface RollingOptions extends LoadOptions {
  /** Restarts of each replica. */
  readonly rounds: number;
  /** Chooses replicas by name; all by default. */
  readonly only?: (replica: string) => boolean;
}

export interface RollingResult {
  readonly requests: number;
  readonly restarts: readonly Restart[];
  readonly failures: readonly Failure[];
  /** No request failed, and every session received every event, once and in order. */
  readonly succeeded: boolean;
}

/** Measurements during a restart. */
export interface Restart extends Phase {
  readonly observation: KillObservation;
}

interface Phase {
  /** The replica, or `nothing` and `the end`. */
  readonly process: string;
  readonly seconds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Failed requests by kind and answer: `post a message 503` */
  readonly failed: Readonly<Record<string, number>>;
}

/** After each restart: clients find a new process within half a second, Envoy within one. */
const SETTLE_MS = 1_500;
const WARM_UP_MS = 8_000;

/** Restarts each process in turn, by SIGTERM and a new start, under a steady load. */
export async function rolling(options: RollingOptions): Promise<RollingResult> {
  const { rounds, only = () => true, say } = options;
  return underLoad(options, async ({ fleet, load, watchers }) => {
    const phases = new Phases(load, say);
    await phases.measure('nothing', () => sleep(WARM_UP_MS));
    const replicas = Object.values(fleet.replicas)
      .flat()
      .filter(({ name }) => only(name));
    for (let round = 0; round < rounds; round++) {
      for (const replica of replicas) {
        await phases.measure(replica.name, async () => {
          await replica.stop();
          await replica.start();
          await fleet.settled();
          await sleep(SETTLE_MS);
        });
      }
    }
    await phases.measure('the end', async () => {
      await load.stop();
      await watchers.settle();
    });
    const observations = await watchers.observations(phases.startedAt);
    const succeeded = load.failures.length === 0 && observations.every(isComplete);
    if (!succeeded) reportProblems(fleet, say);
    return {
      requests: load.sent,
      restarts: phases.withObservations(observations),
      failures: load.failures,
      succeeded,
    };
  });
}

/** Measures the load during one phase after the other. */
class Phases {
  /** By performance.now(). */
  readonly startedAt: number[] = [];
  readonly #phases: Phase[] = [];
  readonly #load: Traffic;
  readonly #say: (line: string) => void;
  #failuresBefore = 0;

  constructor(load: Traffic, say: (line: string) => void) {
    this.#load = load;
    this.#say = say;
  }

  async measure(process: string, act: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await act();
    const { failures } = this.#load;
    const failed = countByName(
      failures.slice(this.#failuresBefore).map(({ kind, answer }) => `${kind} ${answer}`),
    );
    this.#failuresBefore = failures.length;
    const latencies = this.#load.takeLatencies();
    const quantile = (share: number) =>
      Math.round(latencies[Math.floor(latencies.length * share)] ?? Number.NaN);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    this.startedAt.push(startedAt);
    this.#phases.push({ process, seconds, p50_ms: quantile(0.5), p99_ms: quantile(0.99), failed });
    const failedSoFar =
      failures.length > 0 ? `, failed so far: ${failures.length} ${JSON.stringify(failed)}` : '';
    this.#say(`${process}: ${seconds} s, p99 ${quantile(0.99)} ms${failedSoFar}`);
  }

  withObservations(observations: readonly KillObservation[]): Restart[] {
    return this.#phases.flatMap((phase, index) => {
      const observation = observations[index];
      return observation === undefined ? [] : { ...phase, observation };
    });
  }
}

function reportProblems(fleet: Fleet, say: (line: string) => void): void {
  for (const [line, times] of Object.entries(countByName(fleet.serverErrors())))
    say(`Envoy: ${line} x ${times}`);
  for (const line of fleet.warnings()) say(line.slice(0, 1_500));
}
