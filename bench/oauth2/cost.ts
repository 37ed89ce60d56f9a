import type { BenchOptions } from '../bench.ts';
import { medians } from '../load/load.ts';
import { type Times, timesOf } from '../parts/processor-times.ts';
import type { ComparedCases, OauthCase } from './cases.ts';

const WARM_TURNS = 2;

export interface Measured {
  readonly cases: readonly ComparedCases[];
  /** Processor time so far of the processes of a case's server, including `postgres`. */
  readonly timesAt: (one: OauthCase) => Times;
}

/**
 * Processor time per request in microseconds: of each process, of all without PostgreSQL, and of PostgreSQL; and the
 * ratio of oidc-provider's, turn by turn.
 */
export async function costs(
  { cases, timesAt }: Measured,
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const turns = new Map<string, Times[]>(cases.flatMap(([ours]) => ours.map(({ name }) => [name, []])));
  for (let turn = -WARM_TURNS; turn < rounds * seconds; turn++) {
    for (const [ours, peer] of cases) {
      const peers = parts(await timesOf(peer, () => timesAt(peer)));
      for (const one of ours) {
        const own = parts(await timesOf(one, () => timesAt(one)));
        if (turn >= 0) turns.get(one.name)?.push({ ...own, ...peerFigures(own, peers) });
      }
    }
  }
  say('processor times');
  return Object.fromEntries([...turns].map(([name, times]) => [`µs of ${name}`, medians(times, rounded)]));
}

interface Parts {
  readonly processes: number;
  readonly postgres: number;
  readonly all: number;
  readonly [name: string]: number;
}

function parts({ postgres = 0, ...processes }: Times): Parts {
  const sum = Object.values(processes).reduce((total, time_us) => total + time_us, 0);
  return { ...processes, processes: sum, postgres, all: sum + postgres };
}

function peerFigures(own: Parts, peers: Parts): Times {
  return {
    oidc_provider: peers.processes,
    its_postgres: peers.postgres,
    of_oidc_provider: own.all / peers.all,
  };
}

function rounded(value: number, name: string): number {
  return name.startsWith('of_') ? Math.round(value * 1000) / 1000 : Math.round(value);
}
