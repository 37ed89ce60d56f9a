import type { Route } from '@gatehouse/gateway/route';
import { SERVICES } from '@gatehouse/gateway/service-definitions';
import type { ContractComments } from './contract-comments.ts';

/** The full name of a route's RPC. */
export function rpcName({ service, method }: Route): string {
  return `${SERVICES[service].fullName}.${method.name}`;
}

/** The comment of a route's RPC, without its name and its errors. */
export function summary(row: Route, comments: ContractComments): string {
  const [text = ''] = comments.get(rpcName(row))?.split(/\n?^Errors: /m) ?? [];
  const said = text.replaceAll('\n', ' ').replace(/^\w+ /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}
