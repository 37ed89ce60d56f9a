import { type Fault, unauthorized } from '@gatehouse/kit/fault';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { accessDenied, missingScope } from '../http-error.ts';
import type { Row } from '../route.ts';

/**
 * Applies the row's authentication rule (docs/credentials.md#authorization-outcomes): without a live credential 401,
 * with one of the wrong kind 403. Rows for bots only answer everyone else with 401.
 *
 * @throws UNAUTHORIZED, ACCESS_DENIED, MISSING_OAUTH_SCOPE
 */
export function authorize(row: Row, caller: Caller): void {
  const refused = refusal(row, caller);
  if (refused !== undefined) throw refused;
}

/** Why the row refuses this caller; undefined when it does not. */
export function refusal({ who, scope }: Row, caller: Caller): Fault | undefined {
  if (who === 'public') return undefined;
  switch (caller.kind) {
    case CallerKind.CALLER_KIND_UNSPECIFIED:
      return unauthorized();
    case CallerKind.CALLER_KIND_SESSION:
      return who === 'bot' ? unauthorized() : undefined;
    case CallerKind.CALLER_KIND_BOT:
      return who === 'user' ? accessDenied() : undefined;
    case CallerKind.CALLER_KIND_ACCESS_TOKEN:
      if (who === 'bot') return unauthorized();
      if (scope === undefined) return accessDenied();
      return caller.scopes.includes(scope) ? undefined : missingScope(scope);
  }
}
