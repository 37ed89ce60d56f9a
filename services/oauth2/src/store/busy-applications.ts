import type { BusyApplication } from '@gatehouse/proto/oauth2-admin';
import type { Pool } from 'pg';
import { isSuspended } from './refusals.ts';

/** SQL: the beginning of the hour before the current one. */
const SINCE = "date_trunc('hour', now(), 'UTC') - interval '1 hour'";

/** The applications with the most requests in this hour and the one before it. */
export async function findBusyApplications(db: Pool, limit: number): Promise<BusyApplication[]> {
  const { rows } = await db.query<BusyApplication>({
    name: 'find_busy_applications',
    text: `WITH busy AS MATERIALIZED (
             SELECT application_id, sum(requests)::double precision AS requests FROM application_usage
              WHERE hour >= ${SINCE} GROUP BY application_id
              ORDER BY requests DESC, application_id LIMIT $1)
           SELECT id, name, requests, disabled_at IS NOT NULL AS disabled,
                  ${isSuspended('applications.owner_id')} AS owner_suspended,
                  (SELECT count(*)::integer FROM application_errors
                    WHERE application_errors.application_id = busy.application_id AND occurred_at >= ${SINCE}) AS errors
             FROM busy JOIN applications ON id = application_id
            ORDER BY requests DESC, id`,
    values: [limit],
  });
  return rows;
}
