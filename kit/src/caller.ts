import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { unauthorized } from './fault.ts';

/** Returns the caller's account. @throws UNAUTHORIZED if there is none */
export function requireAccount(caller: Caller): string {
  if (caller.account_id === '') throw unauthorized();
  return caller.account_id;
}

/**
 * Returns the account of a caller that must be a bot; it equals the ID of the bot's application.
 *
 * @throws UNAUTHORIZED for every other credential (docs/credentials.md#bot-only)
 */
export function requireBot(caller: Caller): string {
  if (caller.kind !== CallerKind.CALLER_KIND_BOT) throw unauthorized();
  return requireAccount(caller);
}
