import type { MethodDefinition } from '@gatehouse/kit/rpc';
import type { Row } from './route.ts';
import { SERVICES } from './service-definitions.ts';

/** The full name of a row's request or response message; the contracts' lint holds them to it. */
export function messageName(row: Row, part: 'Request' | 'Response'): string {
  const { fullName } = SERVICES[row.service];
  return `${fullName.slice(0, fullName.lastIndexOf('.'))}.${methodOf(row).name}${part}`;
}

/** What the contract says of a row's RPC. */
export function methodOf({ service, rpc }: Pick<Row, 'service' | 'rpc'>): MethodDefinition {
  const method = (SERVICES[service].methods as Record<string, MethodDefinition>)[rpc];
  if (method === undefined) throw new Error(`${service} has no RPC ${rpc}`);
  return method;
}
