import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { KillObservation } from './kill-observations.ts';

interface ObservedPart {
  readonly part: string;
  readonly observation: KillObservation;
}

/** @param head the title of the first column */
export function observationsTable(head: string, rows: readonly ObservedPart[]): string {
  return markdownTable(
    [
      head,
      'Connections closed',
      'Failed attempts',
      'Resumed',
      'Identified again',
      'Last one back after',
      'Longest silence',
      'Slowest event',
      'Between sessions',
      'Missed',
      'Duplicates',
    ],
    rows.map(({ part, observation }) => [
      part,
      closed(observation),
      String(observation.failed_attempts),
      String(observation.resumed),
      String(observation.identified),
      observation.resumed + observation.identified === 0 ? '–' : `${observation.back_seconds} s`,
      `${observation.silent_seconds} s`,
      `${observation.slowest_seconds} s`,
      String(observation.between),
      String(observation.missed),
      String(observation.duplicates),
    ]),
  );
}

/** `120 × 1006` */
function closed({ closed }: KillObservation): string {
  return (
    Object.entries(closed)
      .map(([how, times]) => `${times} × ${how}`)
      .join(', ') || 'none'
  );
}
