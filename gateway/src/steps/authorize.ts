import { type Fault, unauthorized } from '@gatehouse/kit/fault';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { accessDenied, missingScope } from '../http/http-error.ts';
import type { Route } from '../route.ts';

/**
 * Applies the route's authentication rule (docs/credentials.md#authorization-outcomes): 401 without a live
 * credential, 403 with one of the wrong kind. A route for bots only answers all other callers with 401.
 *
 * @throws UNAUTHORIZED, ACCESS_DENIED, MISSING_OAUTH_SCOPE
 */
export function authorize(route: Route, caller: Caller): void {
  const refused = refusal(route, caller);
  if (refused !== undefined) throw refused;
}

/** The reason to refuse this caller; undefined if the route admits it. */
export function refusal({ access, scope }: Route, caller: Caller): Fault | undefined {
  if (access === 'public') return undefined;
  switch (caller.kind) {
    case CallerKind.CALLER_KIND_UNSPECIFIED:
      return unauthorized();
    case CallerKind.CALLER_KIND_SESSION:
      return access === 'bot' ? unauthorized() : undefined;
    case CallerKind.CALLER_KIND_BOT:
      return access === 'user' ? accessDenied() : undefined;
    case CallerKind.CALLER_KIND_ACCESS_TOKEN:
      if (access === 'bot') return unauthorized();
      if (scope === undefined) return accessDenied();
      return caller.scopes.includes(scope) ? undefined : missingScope(scope);
  }
}
