import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { accessDenied, unauthorized } from '../http-error.ts';
import type { Who } from '../route.ts';

/**
 * The row's authentication rule (specification 1, "Authorization outcomes"): no live credential is
 * 401, a live one of a kind that the operation is not for is 403.
 */
export function authorize(who: Who, caller: Caller): void {
  if (who === 'public') return;
  switch (caller.kind) {
    case CallerKind.CALLER_KIND_UNSPECIFIED:
      throw unauthorized();
    case CallerKind.CALLER_KIND_SESSION:
      return;
    case CallerKind.CALLER_KIND_BOT:
      if (who === 'user_or_bot') return;
      throw accessDenied();
    case CallerKind.CALLER_KIND_ACCESS_TOKEN:
      throw accessDenied();
  }
}
