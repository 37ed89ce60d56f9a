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
export async function limit(
  row: Row | undefined,
  context: RequestContext,
  { limits }: Connections,
): Promise<void> {
  const sets = chargesOf(row, context);
  if (sets.length === 0) return;
  const denial = await limits.check(sets, context.requestId);
  if (denial !== undefined) throw rateLimited(denial);
}
