import { ConsoleClient } from '../../console/console-client.ts';
import { warnOfUnavailable } from '../../console/warn-of-unavailable.ts';
import { listOf } from '../../json/members.ts';
import { type Column, cellOf, factOf, itemTable, numberOf, printJson, timeOf } from '../../output/facts.ts';
import { duration } from '../../output/quantities.ts';
import { printLine, type Runtime } from '../../runtime.ts';

export interface ListJobsOptions {
  readonly service?: string;
  readonly json?: boolean;
}

/** Prints the jobs of the processes. */
export async function listJobs({ service, json }: ListJobsOptions, runtime: Runtime): Promise<void> {
  const answer = await new ConsoleClient(runtime).get('/jobs');
  const all = listOf(answer, 'processes');
  const processes = service === undefined ? all : all.filter((one) => factOf(one, 'service') === service);
  if (json) for (const one of processes) printJson(one, runtime);
  else {
    const rows = processes.flatMap((process) => listOf(process, 'jobs').map((job) => ({ process, job })));
    printLine(runtime, itemTable(rows, COLUMNS, 'No process has a job.'));
  }
  warnOfUnavailable(answer, runtime);
}

const COLUMNS: readonly Column[] = [
  ['SERVICE', (row) => cellOf(row, 'process', 'service')],
  ['ADDRESS', (row) => cellOf(row, 'process', 'address')],
  ['JOB', (row) => cellOf(row, 'job', 'name')],
  ['KIND', (row) => cellOf(row, 'job', 'kind')],
  ['WAITING', waiting],
  ['LAST RUN', (row) => timeOf(row, 'job', 'last_run_at_ms') ?? '-'],
  ['', (row) => (factOf(row, 'job', 'running') === 'yes' ? 'running' : '')],
];

function waiting(row: unknown): string {
  const oldest_ms = numberOf(row, 'job', 'oldest_ms');
  return `${cellOf(row, 'job', 'waiting')}${oldest_ms === undefined ? '' : `, the oldest for ${duration(oldest_ms * 1000)}`}`;
}
