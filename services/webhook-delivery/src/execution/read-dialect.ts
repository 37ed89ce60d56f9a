import type { Violation } from '@gatehouse/kit/fault';
import { DIALECTS, type Dialect } from '../store/delivery.ts';

/** The format of this name, or the violation. */
export function readDialect(name: string): Dialect | Violation {
  const dialect = DIALECTS.find((one) => one === name);
  const message = `Must be one of ${DIALECTS.join(', ')}.`;
  return dialect ?? { path: 'dialect', code: 'INVALID_FORMAT', message };
}
