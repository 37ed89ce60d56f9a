import type { Exchange } from '../exchange.ts';
import { chargesOf } from '../limit/charges.ts';
import type { Row } from '../route.ts';
import type { Connections } from '../services.ts';

/**
 * Charges what the request counts against.
 *
 * @throws RateLimited
 */
export function limit(
  row: Row | undefined,
  exchange: Exchange,
  { limits }: Connections,
): Promise<void> | undefined {
  const sets = chargesOf(row, exchange);
  return sets.length === 0 ? undefined : limits.charge(sets, exchange.requestId);
}
