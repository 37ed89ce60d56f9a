import type { Logger } from '@gatehouse/kit/log';
import { RequestReports } from '@gatehouse/kit/request-counts/request-reports';
import type { FailedRequest } from '@gatehouse/proto/oauth2';
import type { Pool } from 'pg';
import { addUsage } from '../store/usage.ts';

interface ClientUsageOptions {
  readonly db: Pool;
  readonly log: Logger;
  readonly every_ms?: number | undefined;
}

/** Counts the requests of authenticated clients, and stores the counts in the background, like those of the edges. */
export function openClientUsage({ db, log, every_ms }: ClientUsageOptions): RequestReports<FailedRequest> {
  return new RequestReports<FailedRequest>({
    send: ({ id, subjects }) =>
      addUsage(
        db,
        id,
        subjects.map(({ subject, groups, failures }) => ({
          application_id: subject,
          buckets: groups.map(({ group, ...counts }) => ({ bucket: group, ...counts })),
          errors: [...failures],
        })),
      ),
    log,
    every_ms,
  });
}
