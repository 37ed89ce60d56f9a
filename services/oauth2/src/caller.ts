import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { unauthorized } from './errors.ts';

/** The caller's account. */
export function requireAccount(caller: Caller): string {
  if (caller.account_id === '') throw unauthorized();
  return caller.account_id;
}

/** The application behind a bot: the bot's account has its ID. */
export function requireBot(caller: Caller): string {
  if (caller.kind !== CallerKind.CALLER_KIND_BOT) throw unauthorized();
  return requireAccount(caller);
}
