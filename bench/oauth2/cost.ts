import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { type Times, timesOf } from '../parts/processor-times.ts';
import { figuresOf } from '../report/figure.ts';
import type { Table } from '../report/table.ts';
import type { ComparedCases, OauthCase } from './cases.ts';

const TITLE = 'processor time';
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
export async function costs({ cases, timesAt }: Measured, options: BenchOptions): Promise<void> {
  const wanted = cases.filter(([, peer]) => options.wants(`${TITLE}: ${peer.name}`));
  for (const [index, [ours, peer]] of wanted.entries()) {
    const turns = new Map<string, Times[]>(ours.map(({ name }) => [name, []]));
    const counted = options.rounds * options.seconds;
    const loop = { warm: WARM_TURNS, counted, loops_left: wanted.length - index };
    await takeTurns(`${TITLE}, ${peer.name}`, loop, options, async (isCounted) => {
      const peers = parts(await timesOf(peer, () => timesAt(peer)));
      for (const one of ours) {
        const own = parts(await timesOf(one, () => timesAt(one)));
        if (isCounted) turns.get(one.name)?.push({ ...own, ...peerFigures(own, peers) });
      }
    });
    for (const { name } of ours) options.report(tableOf(name, turns.get(name) ?? []));
  }
}

/** A row for each process. */
function tableOf(name: string, turns: readonly Times[]): Table {
  const { of_oidc_provider = Number.NaN, all = Number.NaN, ...times } = figuresOf(turns);
  return {
    title: `${TITLE} of ${name}`,
    about: 'Microseconds per request.',
    rows: [
      ...Object.entries(times).map(([process, us]) => ({ name: process, figures: { us } })),
      { name: 'all', compared_with: 'oidc-provider', figures: { us: all, ratio: of_oidc_provider } },
    ],
  };
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
