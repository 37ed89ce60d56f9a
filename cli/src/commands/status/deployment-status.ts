import { isObject, listOf, memberOf } from '../../json/members.ts';
import { factOf, numberOf } from '../../output/facts.ts';

/** The state of a deployment, by the console. Null: unknown, such as without metrics. */
export interface DeploymentStatus {
  /** Per second, at the edge, in the last step. */
  readonly requests_per_second: number | null;
  readonly errors_per_second: number | null;
  /** Requests that a rate limit denied. */
  readonly denied_per_second: number | null;
  /** Of the Gateway. */
  readonly sessions: number | null;
  /** From the writing of an event to its dispatch. */
  readonly event_delay_ms: number | null;
  readonly mail_queue: number | null;
  readonly processes: readonly ProcessStatus[];
  /** Outboxes with waiting rows, those that wait longest first. */
  readonly waiting: readonly WaitingJob[];
  /** Services and processes that do not answer. */
  readonly unavailable: readonly string[];
  /** Advice on how to see more. */
  readonly notices: readonly string[];
}

export interface ProcessStatus {
  readonly service: string;
  /** host:port. */
  readonly address: string;
  /** Empty while it is unknown. */
  readonly version: string;
  readonly up: boolean;
  /** Milliseconds since the Unix epoch; 0 while it is unknown. */
  readonly started_at_ms: number;
}

export interface WaitingJob {
  readonly service: string;
  readonly address: string;
  readonly name: string;
  readonly waiting: number;
  readonly oldest_ms: number | null;
}

/** @param overview and jobs the console's answers of these names */
export function statusOf(overview: unknown, jobs: unknown): DeploymentStatus {
  const processes = listOf(overview, 'replicas').map(processOf);
  const away = [
    ...processes.filter(({ up }) => !up).map(({ service, address }) => `${service} at ${address}`),
    ...listOf(overview, 'unavailable').map(String),
    ...listOf(jobs, 'unavailable').map(String),
  ];
  return {
    requests_per_second: lastOf(overview, 'requests'),
    errors_per_second: lastOf(overview, 'errors'),
    denied_per_second: deniedOf(overview),
    sessions: numberOf(overview, 'sessions') ?? null,
    event_delay_ms: numberOf(overview, 'event_delay_ms') ?? null,
    mail_queue: numberOf(overview, 'mail_queue') ?? null,
    processes,
    waiting: listOf(jobs, 'processes')
      .flatMap(waitingOf)
      .toSorted((a, b) => (b.oldest_ms ?? 0) - (a.oldest_ms ?? 0)),
    unavailable: [...new Set(away)],
    notices: listOf(overview, 'notices').map(String),
  };
}

function processOf(replica: unknown): ProcessStatus {
  return {
    service: factOf(replica, 'service') ?? 'unknown',
    address: factOf(replica, 'address') ?? 'unknown',
    version: factOf(replica, 'version') ?? '',
    up: memberOf(replica, 'up') === true,
    started_at_ms: numberOf(replica, 'started_at_ms') ?? 0,
  };
}

function waitingOf(process: unknown): WaitingJob[] {
  const place = { service: factOf(process, 'service') ?? '', address: factOf(process, 'address') ?? '' };
  return listOf(process, 'jobs').flatMap((job) => {
    const waiting = numberOf(job, 'waiting') ?? 0;
    const oldest_ms = numberOf(job, 'oldest_ms') ?? null;
    return waiting === 0 ? [] : [{ ...place, name: factOf(job, 'name') ?? '', waiting, oldest_ms }];
  });
}

/** The newest number of a series; null if it has none yet. */
function lastOf(answer: unknown, ...path: readonly string[]): number | null {
  const last = listOf(answer, ...path).at(-1);
  return typeof last === 'number' ? last : null;
}

function deniedOf(overview: unknown): number | null {
  const denied = memberOf(overview, 'denied');
  if (!isObject(denied) || lastOf(overview, 'requests') === null) return null;
  return Object.keys(denied).reduce((sum, bucket) => sum + (lastOf(denied, bucket) ?? 0), 0);
}
