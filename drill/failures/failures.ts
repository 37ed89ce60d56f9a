import { setTimeout as sleep } from 'node:timers/promises';
import { toSeconds } from '../figures.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { KillObservation } from '../sessions/kill-observations.ts';
import type { Failure, Traffic } from '../traffic/traffic.ts';
import { type LoadOptions, underLoad } from '../traffic/under-load.ts';
import { failuresByKill } from './failures-by-kill.ts';

/** The effect of a kill under load. */
export interface Outage {
  readonly killed: string;
  readonly requests: number;
  /** Failed requests by kind and answer: `post a message` → `503` → 3. */
  readonly failed: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** From the kill to the end of the last failed request; 0 if none failed. */
  readonly failing_seconds: number;
  /** From the kill until the part answers again. */
  readonly back_seconds: number;
  readonly observation: KillObservation;
}

interface Victim {
  readonly killed: string;
  /** Kills it, restarts it, and resolves once it answers. */
  kill(fleet: Fleet): Promise<void>;
}

/** About as long as an orchestrator takes to notice. */
const RESTARTED_AFTER_MS = 1_000;
const WARM_UP_MS = 10_000;
/** Observation after the part is back. */
const AFTERWARDS_MS = 8_000;

function oneOf(name: string, killed = `one of two ${name}`): Victim {
  return {
    killed,
    kill: async ({ replicas }) => {
      const [first] = replicas[name] ?? [];
      await first?.kill();
      await sleep(RESTARTED_AFTER_MS);
      await first?.start();
    },
  };
}

const VICTIMS: readonly Victim[] = [
  { killed: 'nothing', kill: async () => undefined },
  oneOf('ratelimit'),
  {
    killed: 'Redis',
    kill: async ({ redis }) => {
      await redis.kill();
      await sleep(RESTARTED_AFTER_MS);
      await redis.start();
    },
  },
  oneOf('auth'),
  oneOf('chat'),
  oneOf('oauth2'),
  oneOf('webhook-delivery'),
  oneOf('media'),
  oneOf('realtime'),
  oneOf('gateway', 'one of two edges'),
  { killed: 'PostgreSQL', kill: (fleet) => fleet.killDatabase() },
];

/** Kills one part after the other with SIGKILL under a steady load, and reports what failed and for how long. */
export async function failures(options: LoadOptions): Promise<Outage[]> {
  return underLoad(options, async ({ fleet, load, watchers }) => {
    await sleep(WARM_UP_MS);
    const kills: Kill[] = [];
    const outages = async () => outagesOf(kills, load.failures, await watchers.observations(timesOf(kills)));
    for (const victim of VICTIMS) {
      kills.push(await observe(victim, fleet, load));
      const outage = (await outages()).at(-1); // Not final: some requests fail later.
      if (outage === undefined) continue;
      options.say(
        `${outage.killed}: failing for ${outage.failing_seconds} s, back after ${outage.back_seconds} s: ${JSON.stringify(outage.failed)}; sessions: ${JSON.stringify(outage.observation)}`,
      );
    }
    await load.stop();
    await watchers.settle();
    return outages();
  });
}

/** Times are from performance.now(). */
interface Kill {
  readonly killed: string;
  readonly killedAt: number;
  readonly backAt: number;
  /** Sent until the next kill. */
  readonly requests: number;
}

async function observe({ killed, kill }: Victim, fleet: Fleet, load: Traffic): Promise<Kill> {
  const sentBefore = load.sent;
  const killedAt = performance.now();
  await kill(fleet);
  const backAt = performance.now();
  await fleet.settled();
  await sleep(AFTERWARDS_MS);
  return { killed, killedAt, backAt, requests: load.sent - sentBefore };
}

const timesOf = (kills: readonly Kill[]): number[] => kills.map(({ killedAt }) => killedAt);

function outagesOf(
  kills: readonly Kill[],
  failures: readonly Failure[],
  observations: readonly KillObservation[],
): Outage[] {
  const failed = failuresByKill(failures, timesOf(kills));
  return observations.flatMap((observation, index) => {
    const [own, kill] = [failed[index] ?? [], kills[index]];
    if (kill === undefined) return [];
    const { killed, killedAt, backAt, requests } = kill;
    return {
      killed,
      requests,
      failed: byKind(own),
      failing_seconds: toSeconds(Math.max(killedAt, ...own.map(({ endedAt }) => endedAt)) - killedAt),
      back_seconds: toSeconds(backAt - killedAt),
      observation,
    };
  });
}

function byKind(failed: readonly Failure[]): Record<string, Record<string, number>> {
  const kinds: Record<string, Record<string, number>> = {};
  for (const { kind, answer } of failed) {
    const answers = kinds[kind] ?? {};
    kinds[kind] = answers;
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
  return kinds;
}
