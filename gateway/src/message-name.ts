import type { Row } from './route.ts';
import { SERVICES } from './services.ts';

/** The full name of a row's request or response message; the contracts' lint holds them to it. */
export function messageName(row: Row, part: 'Request' | 'Response'): string {
  const { fullName, methods } = SERVICES[row.service];
  const method = (methods as Record<string, { name: string }>)[row.rpc];
  return `${fullName.slice(0, fullName.lastIndexOf('.'))}.${method?.name}${part}`;
}
