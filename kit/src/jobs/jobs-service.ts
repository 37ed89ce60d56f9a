import {
  type Job as JobMessage,
  JobsServiceDefinition,
  type ListJobsResponse,
} from '@gatehouse/proto/kit/jobs';
import type { OutboxCount } from '../db/outbox-counts.ts';
import { kitFault } from '../fault.ts';
import type { Job } from '../job.ts';
import type { Logger } from '../log.ts';
import { type Implementation, implement } from '../rpc/dispatch.ts';
import { VERSION } from '../version.ts';
import type { Jobs } from './jobs.ts';

/** The methods of kit.v1.JobsService, for calls within the process. */
export interface OwnJobs {
  listJobs(): Promise<ListJobsResponse>;
  /** @throws UNKNOWN_JOB */
  runJob(name: string, log: Logger): void;
}

/** The jobs of the service with this name. */
export function ownJobs(service: string, jobs: Jobs): OwnJobs {
  return {
    listJobs: async () => {
      const counts = await jobs.countOutboxes();
      return {
        jobs: jobs.all().map(([name, job]) => viewOf(name, job, counts?.get(name))),
        service,
        version: VERSION,
        started_at_ms: Math.round(performance.timeOrigin),
      };
    },
    runJob: (name, log) => {
      const job = jobs.get(name);
      if (job === undefined) throw kitFault('UNKNOWN_JOB');
      log.info({ job: name }, 'a job runs now on demand');
      job.wake();
    },
  };
}

/** Serves kit.v1.JobsService. */
export function jobsImplementation({ listJobs, runJob }: OwnJobs): Implementation {
  return implement(JobsServiceDefinition, {
    listJobs,
    runJob: ({ name }, { log }) => {
      runJob(name, log);
      return {};
    },
  });
}

function viewOf(name: string, job: Job, count: OutboxCount | undefined): JobMessage {
  return {
    name,
    kind: job.kind,
    waiting: count?.waiting ?? null,
    oldest_ms: count?.oldest_ms ?? null,
    last_run_at_ms: job.lastRunAt_ms() ?? null,
    running: job.isRunning(),
  };
}
