import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type {
  ApplicationUsage,
  FailedRequest,
  ReportUsageRequest,
  ReportUsageResponse,
} from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { addUsage } from '../store/usage.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_APPLICATIONS = 200;
const MAX_BUCKETS = 300;
const MAX_ERRORS = 10;
const TIME = /^2\d{3}(-\d\d){2}T\d\d(:\d\d){2}\.\d{3}Z$/;
/** Text that PostgreSQL can store. The longest is a route. */
const STORABLE = /^[^\0]{1,200}$/;

export function reportUsage({ db }: Deps): Handler<ReportUsageRequest, ReportUsageResponse> {
  return async ({ report_id, applications }) => {
    if (
      !UUID.test(report_id) ||
      applications.length > MAX_APPLICATIONS ||
      !applications.every(isWithinBounds)
    ) {
      const message = `Must have a UUID, and at most ${MAX_APPLICATIONS} applications within their bounds.`;
      throw invalidForm([{ path: 'root', code: 'INVALID_FORMAT', message }]);
    }
    await addUsage(db, report_id, applications);
    return {};
  };
}

function isWithinBounds({ application_id, buckets, errors }: ApplicationUsage): boolean {
  return (
    isSnowflake(application_id) &&
    buckets.length <= MAX_BUCKETS &&
    buckets.every(({ bucket }) => STORABLE.test(bucket)) &&
    errors.length <= MAX_ERRORS &&
    errors.every(isFailedRequest)
  );
}

function isFailedRequest({ time, status, ...texts }: FailedRequest): boolean {
  return (
    TIME.test(time) &&
    !Number.isNaN(Date.parse(time)) &&
    status >= 400 &&
    status <= 599 &&
    [texts.method, texts.route, texts.code, texts.request_id].every((text) => STORABLE.test(text))
  );
}
