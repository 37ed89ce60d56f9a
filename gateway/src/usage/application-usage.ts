import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { type RequestReport, RequestReports } from '@gatehouse/kit/request-counts/request-reports';
import type { FailedRequest, ReportUsageRequest } from '@gatehouse/proto/oauth2';
import type { ServiceConnections } from '../connections.ts';
import { RateLimited } from '../http/http-error.ts';
import type { RequestContext } from '../request-context.ts';
import type { Route } from '../route.ts';

interface ApplicationUsageOptions {
  readonly oauth2: ServiceConnections['oauth2'];
  readonly log: Logger;
  /** Ten seconds by default. */
  readonly every_ms?: number | undefined;
}

const REPORT_TIMEOUT_MS = 2_000;
const UNMATCHED = '(unmatched)';
/** The bucket of requests that count against no other. */
const GLOBAL = 'global';

/**
 * Counts the requests that applications make with live tokens, and reports the counts to oauth2 in the background
 * (docs/oauth2.md#usage). No request waits for it, or fails by it.
 */
export class ApplicationUsage {
  readonly #reports: RequestReports<FailedRequest>;

  constructor({ oauth2, log, every_ms }: ApplicationUsageOptions) {
    const send = (report: RequestReport<FailedRequest>) =>
      oauth2.client.reportUsage(usageRequest(report), { timeoutMs: REPORT_TIMEOUT_MS });
    this.#reports = new RequestReports({ send, log, every_ms });
  }

  /** Counts an answered request, if an application made it. */
  count(route: Route | undefined, context: RequestContext, status: number, failure: unknown): void {
    const { application_id: subject } = context;
    if (subject === '') return;
    const is_limited = status === 429;
    const isGlobal = failure instanceof RateLimited && failure.members.global === true;
    this.#reports.counts.note({
      subject,
      group: isGlobal ? GLOBAL : bucketOf(route),
      is_limited,
      failure: status < 400 ? undefined : failedRequest(route, context, status, failure),
    });
  }

  /** Requests whose counts oauth2 did not get, since the start. */
  lost(): number {
    return this.#reports.lost();
  }

  /** Reports what is left, and stops. */
  close(): Promise<void> {
    return this.#reports.close();
  }
}

/** A request is counted once: at the first bucket of its route. */
function bucketOf(route: Route | undefined): string {
  const bucket = route?.buckets[0];
  if (bucket === undefined) return GLOBAL;
  return typeof bucket === 'string' ? bucket : bucket[0];
}

/** The path is the route's pattern, as in the log: the sent one may hold a credential. */
function failedRequest(
  route: Route | undefined,
  { request, requestId }: RequestContext,
  status: number,
  failure: unknown,
): FailedRequest {
  return {
    time: new Date().toISOString(),
    method: route?.verb ?? request.method,
    route: route?.path ?? UNMATCHED,
    status,
    code: failure instanceof Fault && status !== 500 ? failure.reason : 'INTERNAL_SERVER_ERROR',
    request_id: requestId,
  };
}

function usageRequest({ id, subjects }: RequestReport<FailedRequest>): ReportUsageRequest {
  return {
    report_id: id,
    applications: subjects.map(({ subject, groups, failures }) => ({
      application_id: subject,
      buckets: groups.map(({ group, requests, limited }) => ({ bucket: group, requests, limited })),
      errors: [...failures],
    })),
  };
}
