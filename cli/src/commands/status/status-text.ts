import { factLines } from '../../output/facts.ts';
import { printable } from '../../output/printable.ts';
import { count, duration } from '../../output/quantities.ts';
import { textTable } from '../../output/text-table.ts';
import type { DeploymentStatus, ProcessStatus, WaitingJob } from './deployment-status.ts';

/** The state of a deployment for people. */
export function statusText(status: DeploymentStatus): string {
  const { processes, waiting, unavailable, notices } = status;
  const parts = [
    factLines([
      ['requests', perSecond(status.requests_per_second)],
      ['errors', perSecond(status.errors_per_second)],
      ['denied by limits', perSecond(status.denied_per_second)],
      ['Gateway sessions', countOf(status.sessions)],
      ['event delay', status.event_delay_ms === null ? undefined : duration(status.event_delay_ms * 1_000)],
      ['mails that wait', countOf(status.mail_queue)],
    ]),
    table(processes, PROCESS, 'No process is known.'),
    waiting.length === 0 ? 'Nothing waits in an outbox.' : `Outboxes\n${table(waiting, WAITING, '')}`,
    unavailable.length === 0 ? '' : `No answer from: ${unavailable.map(printable).join(', ')}`,
    ...notices.map(printable),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function perSecond(number: number | null): string | undefined {
  return number === null ? undefined : `${number.toFixed(1)}/s`;
}

function countOf(number: number | null): string | undefined {
  return number === null ? undefined : count(number);
}

type Cell<T> = readonly [heading: string, cell: (row: T) => string];

function table<T>(rows: readonly T[], cells: readonly Cell<T>[], nothing: string): string {
  if (rows.length === 0) return nothing;
  const headings = cells.map(([heading]) => heading);
  return textTable([headings, ...rows.map((row) => cells.map(([, cell]) => printable(cell(row))))]).trimEnd();
}

const PROCESS: readonly Cell<ProcessStatus>[] = [
  ['SERVICE', ({ service }) => service],
  ['ADDRESS', ({ address }) => address],
  ['VERSION', ({ version }) => version || '-'],
  ['STATE', ({ up }) => (up ? 'up' : 'NO ANSWER')],
  ['SINCE', ({ started_at_ms }) => (started_at_ms === 0 ? '-' : new Date(started_at_ms).toISOString())],
];

const WAITING: readonly Cell<WaitingJob>[] = [
  ['SERVICE', ({ service }) => service],
  ['JOB', ({ name }) => name],
  ['WAITING', ({ waiting }) => count(waiting)],
  ['OLDEST', ({ oldest_ms }) => (oldest_ms === null ? '-' : duration(oldest_ms * 1_000))],
];
