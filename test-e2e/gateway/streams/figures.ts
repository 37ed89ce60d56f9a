import type { Reader } from './reader.ts';
import type { ReplicaProcess } from './replica-process.ts';

/** Statistics of a run. */
export interface StreamFigures {
  readonly events: number;
  /** Events received by all readers. */
  readonly received: number;
  readonly seconds: number;
  readonly kills: number;
  readonly drains: number;
  /** Number of connection faults. */
  readonly faults: number;
  readonly resumed: number;
  readonly identified: number;
  /** The longest time between the end of a reader's connection and its next READY or RESUMED. */
  readonly longest_gap_ms: number;
  readonly answers: Readonly<Record<string, number>>;
}

interface RunTotals {
  readonly replicas: readonly ReplicaProcess[];
  readonly readers: readonly Reader[];
  readonly written: number;
  readonly received: number;
  readonly took_ms: number;
  readonly answers: ReadonlyMap<string, number>;
}

export function figuresOf(outcome: RunTotals): StreamFigures {
  const { replicas, readers } = outcome;
  const outages = replicas.flatMap((replica) => replica.outages);
  const counts = readers.map((reader) => reader.counts);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    events: outcome.written,
    received: outcome.received,
    seconds: Math.round(outcome.took_ms / 1000),
    kills: outages.filter(({ kind }) => kind === 'SIGKILL').length,
    drains: outages.filter(({ kind }) => kind === 'SIGTERM').length,
    faults: sum(counts.map(({ faults }) => faults)),
    resumed: sum(counts.map(({ resumed }) => resumed)),
    identified: sum(counts.map(({ identified }) => identified)),
    longest_gap_ms: Math.round(Math.max(...counts.map(({ longest_gap_ms }) => longest_gap_ms))),
    answers: Object.fromEntries(outcome.answers),
  };
}
