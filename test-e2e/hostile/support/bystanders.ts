import { once } from 'node:events';
import type { Target } from '../attacks/attack.ts';
import { forkScript } from './attacker.ts';

/** A well-behaved client. */
export interface Bystander {
  readonly name: string;
  /** Its source address. */
  readonly from: string;
  readonly path: string;
  /** Sessions that it uses in turn; empty: it is anonymous. */
  readonly tokens: readonly string[];
  readonly per_second: number;
}

export interface BystandersSetup {
  readonly target: Target;
  readonly bystanders: readonly Bystander[];
}

export interface LatencyFigures {
  readonly requests: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** Counts of results other than 200. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface BystandersReport {
  readonly figures: Readonly<Record<string, LatencyFigures>>;
  /** Maximum event loop lag of the measuring process. A high value invalidates the figures. */
  readonly lag_ms: number;
}

export interface Bystanders {
  /** Ends them, once every request is answered or given up. */
  end(): Promise<BystandersReport>;
}

/** Starts clients that send requests all the time. Returns once they have begun. */
export async function startBystanders(company: BystandersSetup): Promise<Bystanders> {
  const child = forkScript('bystanders-process.ts');
  child.send(company);
  await once(child, 'message');
  return {
    end: async () => {
      child.send('end');
      const [seen] = (await once(child, 'message')) as [BystandersReport];
      child.disconnect();
      return seen;
    },
  };
}
