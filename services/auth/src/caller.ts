import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { unauthorized } from './errors.ts';

/** The caller's account. */
export function requireAccount(caller: Caller): string {
  if (caller.account_id === '') throw unauthorized();
  return caller.account_id;
}

/** The caller's session; no other credential has one. */
export function requireSession(caller: Caller): { account_id: string; session_id: string } {
  const { kind, credential_id } = caller;
  if (kind !== CallerKind.CALLER_KIND_SESSION || credential_id === '') throw unauthorized();
  return { account_id: requireAccount(caller), session_id: credential_id };
}

/** The caller, which must be a bot: any other credential is refused with 401 (docs/credentials.md#bot-only). */
export function requireBot(caller: Caller): string {
  if (caller.kind !== CallerKind.CALLER_KIND_BOT) throw unauthorized();
  return requireAccount(caller);
}
