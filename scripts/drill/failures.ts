import { setTimeout as sleep } from 'node:timers/promises';
import { failuresOfKills } from './failures-of-kills.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { mix } from './mix.ts';
import { populate } from './population.ts';
import { type Failure, type Traffic, traffic } from './traffic.ts';

export interface FailuresOptions {
  readonly per_second: number;
  readonly drain_delay_seconds: number;
  readonly say: (line: string) => void;
}

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
  oneOf('gateway', 'one of two edges'),
  { killed: 'PostgreSQL', kill: (fleet) => fleet.killDatabase() },
];

/** Kills one part after the other with SIGKILL under a steady load, and tells what failed and for how long. */
export async function failures(options: FailuresOptions): Promise<Outage[]> {
  const { per_second, drain_delay_seconds, say } = options;
  const fleet = await startFleet({ drain_delay_seconds, say });
  try {
    const picture = await populate(fleet.database_url, fleet.url);
    const load = traffic(fleet.url, mix(picture), per_second);
    await sleep(WARM_UP_MS);
    const kills: Kill[] = [];
    for (const victim of VICTIMS) {
      kills.push(await observe(victim, fleet, load));
      const outage = outagesOf(kills, load.failures).at(-1); // so far: some fail later
      if (outage === undefined) continue;
      say(
        `${outage.killed}: failing for ${outage.failing_seconds} s, back after ${outage.back_seconds} s: ${JSON.stringify(outage.failed)}`,
      );
    }
    await load.stop();
    return outagesOf(kills, load.failures);
  } finally {
    await fleet.close();
  }
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

function outagesOf(kills: readonly Kill[], failures: readonly Failure[]): Outage[] {
  const failed = failuresOfKills(
    failures,
    kills.map(({ killedAt }) => killedAt),
  );
  return kills.map(({ killed, killedAt, backAt, requests }, index) => {
    const own = failed[index] ?? [];
    return {
      killed,
      requests,
      failed: byKind(own),
      failing_seconds: seconds(Math.max(killedAt, ...own.map(({ endedAt }) => endedAt)) - killedAt),
      back_seconds: seconds(backAt - killedAt),
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
