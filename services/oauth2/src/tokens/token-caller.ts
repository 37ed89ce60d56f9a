import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { invalidToken } from '../errors.ts';

/** Requires an access token. @throws INVALID_TOKEN for any other credential, and for none */
export function requireAccessToken(caller: Caller): Caller {
  if (caller.kind !== CallerKind.CALLER_KIND_ACCESS_TOKEN) throw invalidToken();
  return caller;
}
