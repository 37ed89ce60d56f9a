import { type Fault, unauthorized } from '@gatehouse/kit/fault';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { accessDenied, missingScope } from '../http-error.ts';
import type { Row } from '../route.ts';

/**
 * The row's authentication rule (docs/credentials.md#authorization-outcomes): no live credential is
 * 401, a live one of a kind that the operation is not for is 403. What is for bots alone says 401 to
 * everybody else.
 *
 * @throws UNAUTHORIZED, ACCESS_DENIED, MISSING_OAUTH_SCOPE
 */
export function authorize(row: Row, caller: Caller): void {
  const refused = refusal(row, caller);
  if (refused !== undefined) throw refused;
}

/** Why this caller may not use the row; undefined when they may. */
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
