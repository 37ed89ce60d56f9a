import type { Caller } from '@gatehouse/proto/kit/calls';
import { unauthorized } from './errors.ts';

/** The caller's account. */
export function requireAccount(caller: Caller): string {
  if (caller.account_id === '') throw unauthorized();
  return caller.account_id;
}
