import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { Job } from '@gatehouse/proto/kit/jobs';
import { READ_TIMEOUT } from '../lookup/gather.ts';
import type { JobProcess, Processes } from './processes.ts';

/** A process with its jobs. */
export interface ListedProcess extends JobProcess {
  readonly version: string;
  /** Milliseconds since the Unix epoch. */
  readonly started_at_ms: number;
  readonly jobs: readonly Job[];
}

/** The processes that answer, and those that do not. */
export interface ListedProcesses {
  readonly processes: readonly ListedProcess[];
  readonly unavailable: readonly JobProcess[];
}

const LOG_EVERY_MS = 60_000;

/** Makes a function that asks every process for its jobs. */
export function jobsLister(jobs: Processes, log: Logger): () => Promise<ListedProcesses> {
  const logAway = throttledLog<{ service: string; err: unknown }>((times, away) => {
    log.debug({ ...away, times }, 'a process does not show its jobs');
  }, LOG_EVERY_MS);
  return async () => {
    const asked = await Promise.all(
      (await jobs.list()).map(async (process) => {
        try {
          const {
            version,
            started_at_ms,
            jobs: listed,
          } = await jobs.client(process).listJobs({}, READ_TIMEOUT);
          return { ...process, version, started_at_ms, jobs: listed };
        } catch (err) {
          logAway({ service: process.service, err });
          return process;
        }
      }),
    );
    return {
      processes: asked.filter((one): one is ListedProcess => 'jobs' in one),
      unavailable: asked.filter((one) => !('jobs' in one)),
    };
  };
}
