import type { Denial } from '@gatehouse/proto/ratelimit';
import { chargesOf } from '../limit/charges.ts';
import { rateLimited } from '../limit/rate-limited.ts';
import type { RequestContext } from '../request-context.ts';
import type { Row } from '../route.ts';
import type { Connections } from '../services.ts';

/**
 * Charges what the request counts against.
 *
 * @throws RateLimited
 */
export function limit(
  row: Row | undefined,
  context: RequestContext,
  { limits }: Connections,
): Promise<void> | undefined {
  const sets = chargesOf(row, context);
  if (sets.length === 0) return undefined;
  const decision = limits.check(sets, context.requestId);
  return decision instanceof Promise ? decision.then(refuse) : refuse(decision);
}

function refuse(denial: Denial | undefined): undefined {
  if (denial !== undefined) throw rateLimited(denial);
}
