import { requireAccount } from '@gatehouse/kit/caller';
import { unauthorized } from '@gatehouse/kit/fault';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';

/** Requires a session. Other credentials are refused. */
export function requireSession(caller: Caller): { account_id: string; session_id: string } {
  const { kind, credential_id } = caller;
  if (kind !== CallerKind.CALLER_KIND_SESSION || credential_id === '') throw unauthorized();
  return { account_id: requireAccount(caller), session_id: credential_id };
}
