import { chargesOf } from '../limit/charges.ts';
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
  return sets.length === 0 ? undefined : limits.charge(sets, context.requestId);
}
