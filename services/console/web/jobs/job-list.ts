import type { Job } from '@gatehouse/proto/kit/jobs';

/** A process and its background work. */
export interface JobProcess {
  readonly service: string;
  readonly address: string;
  readonly version: string;
  readonly started_at_ms: number;
  readonly jobs: readonly Job[];
}

/** A job with its process. */
export interface ListedJob {
  readonly process: JobProcess;
  readonly job: Job;
}

/** The outboxes of all processes: those whose oldest row has waited longest come first, then the others by name. */
export function outboxes(processes: readonly JobProcess[]): ListedJob[] {
  return jobsOfKind(processes, 'outbox').sort(
    (a, b) => (b.job.oldest_ms ?? -1) - (a.job.oldest_ms ?? -1) || byName(a, b),
  );
}

/** The periodic jobs of all processes by name. */
export function periodicJobs(processes: readonly JobProcess[]): ListedJob[] {
  return jobsOfKind(processes, 'periodic').sort(byName);
}

function jobsOfKind(processes: readonly JobProcess[], kind: string): ListedJob[] {
  return processes.flatMap((process) =>
    process.jobs.filter((job) => job.kind === kind).map((job) => ({ process, job })),
  );
}

function byName(a: ListedJob, b: ListedJob): number {
  const [one, other] = [nameOf(a), nameOf(b)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function nameOf({ process, job }: ListedJob): string {
  return `${process.service} ${job.name} ${process.address}`;
}
