import { once } from 'node:events';
import type { Target } from '../attacks/attack.ts';
import { forkScript } from './attacker.ts';

/** A client who does nothing wrong. */
export interface Bystander {
  readonly name: string;
  /** The address it comes from. */
  readonly from: string;
  readonly path: string;
  /** Sessions it uses in turn; none: it is anonymous. */
  readonly tokens: readonly string[];
  readonly per_second: number;
}

export interface Company {
  readonly target: Target;
  readonly bystanders: readonly Bystander[];
}

export interface Figures {
  readonly requests: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** What came in place of 200, and how often. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface Seen {
  readonly figures: Readonly<Record<string, Figures>>;
  /** How long the measuring process itself stood still at most. Much of it makes the figures worthless. */
  readonly lag_ms: number;
}

export interface Bystanders {
  /** Ends them, once all that they asked was answered or given up. */
  end(): Promise<Seen>;
}

/** Has clients ask all the time. Comes back when they have begun. */
export async function beside(company: Company): Promise<Bystanders> {
  const child = forkScript('bystanders-process.ts');
  child.send(company);
  await once(child, 'message');
  return {
    end: async () => {
      child.send('end');
      const [seen] = (await once(child, 'message')) as [Seen];
      child.disconnect();
      return seen;
    },
  };
}
