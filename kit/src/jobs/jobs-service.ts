import { type Job as JobMessage, JobsServiceDefinition } from '@gatehouse/proto/kit/jobs';
import type { OutboxCount } from '../db/outbox-counts.ts';
import { kitFault } from '../fault.ts';
import type { Job } from '../job.ts';
import { type Implementation, implement } from '../rpc/dispatch.ts';
import { VERSION } from '../version.ts';
import type { Jobs } from './jobs.ts';

/** Serves kit.v1.JobsService for the service with this name. */
export function jobsImplementation(service: string, jobs: Jobs): Implementation {
  return implement(JobsServiceDefinition, {
    listJobs: async () => {
      const counts = await jobs.countOutboxes();
      return {
        jobs: jobs.all().map(([name, job]) => viewOf(name, job, counts?.get(name))),
        service,
        version: VERSION,
        started_at_ms: Math.round(performance.timeOrigin),
      };
    },
    runJob: ({ name }, { log }) => {
      const job = jobs.get(name);
      if (job === undefined) throw kitFault('UNKNOWN_JOB');
      log.info({ job: name }, 'a job runs now on demand');
      job.wake();
      return {};
    },
  });
}

function viewOf(name: string, job: Job, count: OutboxCount | undefined): JobMessage {
  return {
    name,
    kind: job.kind,
    waiting: count?.waiting,
    oldest_ms: count?.oldest_ms,
    last_run_at_ms: job.lastRunAt_ms(),
    running: job.isRunning(),
  };
}
