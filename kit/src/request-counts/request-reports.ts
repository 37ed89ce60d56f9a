import { randomUUID } from 'node:crypto';
import type { Logger } from '../log.ts';
import { type PeriodicJob, periodicJob } from '../periodic-job.ts';
import { throttledLog } from '../throttled-log.ts';
import { withTimeout } from '../with-timeout.ts';
import { RequestCounts, type SubjectCounts } from './request-counts.ts';

/** Counts that are sent together. A repeated report has the same ID. */
export interface RequestReport<Failure> {
  readonly id: string;
  readonly subjects: readonly SubjectCounts<Failure>[];
}

interface RequestReportsOptions<Failure> {
  /** Must count a report once, however often it is sent. If it rejects, the report is sent again. */
  readonly send: (report: RequestReport<Failure>) => Promise<unknown>;
  readonly log: Logger;
  /** Ten seconds by default. */
  readonly every_ms?: number | undefined;
  /** A report is given up after this time. Ten minutes by default. */
  readonly give_up_ms?: number | undefined;
}

interface WaitingReport<Failure> extends RequestReport<Failure> {
  readonly made_at_ms: number;
}

const EVERY_MS = 10_000;
const GIVE_UP_MS = 600_000;
const MAX_LOG_EVERY_MS = 60_000;
/** A receiver that does not answer must not keep the process from ending. */
const CLOSE_TIMEOUT_MS = 2_000;
const SUBJECTS_PER_REPORT = 200;

/**
 * Counts requests, and reports the counts in the background. While reports fail, they are sent again and counting goes on.
 * Counts that arrive meanwhile are merged, so memory stays bounded.
 */
export class RequestReports<Failure> {
  readonly counts = new RequestCounts<Failure>();
  readonly #options: RequestReportsOptions<Failure>;
  readonly #logFailure: (error: unknown) => void;
  /** Sends the reports. */
  readonly job: PeriodicJob;
  #waiting: WaitingReport<Failure>[] = [];
  #givenUp = 0;

  constructor(options: RequestReportsOptions<Failure>) {
    this.#options = options;
    this.#logFailure = throttledLog<unknown>((times, error) => {
      options.log.warn({ err: error, times, lost: this.lost() }, 'counts of requests were not reported');
    }, MAX_LOG_EVERY_MS);
    this.job = periodicJob(options.every_ms ?? EVERY_MS, () => this.#report());
  }

  /** Requests whose counts were not reported, since the start. */
  lost(): number {
    return this.counts.lost() + this.#givenUp;
  }

  /** Reports what is left, once, and stops. Gives up after two seconds. */
  async close(): Promise<void> {
    await withTimeout(CLOSE_TIMEOUT_MS, this.#reportRest());
  }

  async #reportRest(): Promise<void> {
    await this.job.close();
    await this.#report();
    if (this.#waiting.length === 0) await this.#report();
  }

  /** Never rejects. After a failure the rest waits for the next interval. */
  async #report(): Promise<void> {
    if (this.#waiting.length === 0) this.#waiting = this.#take();
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const { id, subjects, made_at_ms } = next;
      try {
        await this.#options.send({ id, subjects });
      } catch (error) {
        this.#logFailure(error);
        if (performance.now() - made_at_ms < (this.#options.give_up_ms ?? GIVE_UP_MS)) return;
        this.#givenUp += requestsOf(subjects);
      }
      this.#waiting.shift();
    }
  }

  #take(): WaitingReport<Failure>[] {
    const subjects = this.counts.take();
    const made_at_ms = performance.now();
    const reports: WaitingReport<Failure>[] = [];
    for (let at = 0; at < subjects.length; at += SUBJECTS_PER_REPORT)
      reports.push({
        id: randomUUID(),
        subjects: subjects.slice(at, at + SUBJECTS_PER_REPORT),
        made_at_ms,
      });
    return reports;
  }
}

function requestsOf(subjects: readonly SubjectCounts<unknown>[]): number {
  return subjects.flatMap(({ groups }) => groups).reduce((sum, { requests }) => sum + requests, 0);
}
