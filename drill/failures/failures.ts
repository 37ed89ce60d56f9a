import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../fleet/fleet.ts';
import type { Sights } from '../sessions/sights-of-kills.ts';
import type { Failure, Traffic } from '../traffic/traffic.ts';
import { type LoadOptions, underLoad } from '../traffic/under-load.ts';
import { failuresOfKills } from './failures-of-kills.ts';

/** What came of killing something under load. */
export interface Outage {
  readonly killed: string;
  readonly requests: number;
  /** How many of which requests were answered how: `post a message` → `503` → 3. */
  readonly failed: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** From the kill to the end of the last request that failed; 0 where none did. */
  readonly failing_seconds: number;
  /** From the kill until what was killed answers again. */
  readonly back_seconds: number;
  /** What clients of the Gateway saw. */
  readonly sights: Sights;
}

interface Victim {
  readonly killed: string;
  /** Kills it, has it started again, and comes back when it answers. */
  kill(fleet: Fleet): Promise<void>;
}

/** What an orchestrator takes to notice, about. */
const STARTED_AGAIN_AFTER_MS = 1_000;
const WARM_UP_MS = 10_000;
/** Seen on after it is back. */
const AFTERWARDS_MS = 8_000;

function oneOf(name: string, killed = `one of two ${name}`): Victim {
  return {
    killed,
    kill: async ({ replicas }) => {
      const [first] = replicas[name] ?? [];
      await first?.kill();
      await sleep(STARTED_AGAIN_AFTER_MS);
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
      await sleep(STARTED_AGAIN_AFTER_MS);
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

/** Kills one part after the other with SIGKILL under a steady load, and tells what failed and for how long. */
export async function failures(options: LoadOptions): Promise<Outage[]> {
  return underLoad(options, async ({ fleet, load, watchers }) => {
    await sleep(WARM_UP_MS);
    const kills: Kill[] = [];
    const outages = async () => outagesOf(kills, load.failures, await watchers.sights(timesOf(kills)));
    for (const victim of VICTIMS) {
      kills.push(await observe(victim, fleet, load));
      const outage = (await outages()).at(-1); // so far: some fail later
      if (outage === undefined) continue;
      options.say(
        `${outage.killed}: failing for ${outage.failing_seconds} s, back after ${outage.back_seconds} s: ${JSON.stringify(outage.failed)}; sessions: ${JSON.stringify(outage.sights)}`,
      );
    }
    await load.stop();
    await watchers.settle();
    return outages();
  });
}

/** When, by performance.now(), and how many requests were sent until the next. */
interface Kill {
  readonly killed: string;
  readonly killedAt: number;
  readonly backAt: number;
  readonly requests: number;
}

async function observe({ killed, kill }: Victim, fleet: Fleet, load: Traffic): Promise<Kill> {
  const sentBefore = load.sent();
  const killedAt = performance.now();
  await kill(fleet);
  const backAt = performance.now();
  await fleet.settled();
  await sleep(AFTERWARDS_MS);
  return { killed, killedAt, backAt, requests: load.sent() - sentBefore };
}

const timesOf = (kills: readonly Kill[]): number[] => kills.map(({ killedAt }) => killedAt);

function outagesOf(
  kills: readonly Kill[],
  failures: readonly Failure[],
  sights: readonly Sights[],
): Outage[] {
  const failed = failuresOfKills(failures, timesOf(kills));
  return sights.flatMap((seen, index) => {
    const [own, kill] = [failed[index] ?? [], kills[index]];
    if (kill === undefined) return [];
    const { killed, killedAt, backAt, requests } = kill;
    return {
      killed,
      requests,
      failed: byKind(own),
      failing_seconds: seconds(Math.max(killedAt, ...own.map(({ endedAt }) => endedAt)) - killedAt),
      back_seconds: seconds(backAt - killedAt),
      sights: seen,
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

const seconds = (ms: number): number => Math.round(ms / 100) / 10;
