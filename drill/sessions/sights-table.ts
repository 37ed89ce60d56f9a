import { table } from '../table.ts';
import type { Sights } from './sights-of-kills.ts';

export interface SightsRow {
  readonly what: string;
  readonly sights: Sights;
}

/** @param head of the first column */
export function sightsTable(head: string, rows: readonly SightsRow[]): string {
  return table(
    [
      head,
      'Connections closed',
      'Attempts that failed',
      'Resumed',
      'Identified anew',
      'The last was back after',
      'Longest silence',
      'Slowest event',
      'Not told',
      'Missed',
      'Doubled',
    ],
    rows.map(({ what, sights }) => [
      what,
      closed(sights),
      String(sights.failed_attempts),
      String(sights.resumed),
      String(sights.identified),
      sights.resumed + sights.identified === 0 ? '–' : `${sights.back_seconds} s`,
      `${sights.silent_seconds} s`,
      `${sights.slowest_seconds} s`,
      String(sights.between),
      String(sights.missed),
      String(sights.doubled),
    ]),
  );
}

/** `120 × 1006` */
function closed({ closed }: Sights): string {
  return (
    Object.entries(closed)
      .map(([how, times]) => `${times} × ${how}`)
      .join(', ') || 'none'
  );
}
