import type { GetAccountResponse } from '@gatehouse/proto/auth-admin';
import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { AccountGrant, AdminApplication } from '@gatehouse/proto/oauth2-admin';
import type { NamedWebhook } from '../webhooks/named-webhook.ts';

/** The newest applications and webhooks of an account: so many are listed. */
export const MOST_OWNED = 50;

/** An account with what all services know of it. Without auth, there is only what the others know. */
export interface AccountDetails extends Partial<GetAccountResponse> {
  readonly grants: readonly AccountGrant[];
  readonly guilds: readonly AdminGuild[];
  readonly applications: readonly AdminApplication[];
  /** Those that it or its bots made. */
  readonly webhooks: readonly NamedWebhook[];
  /** Of a bot: how many applications its owner has, counted up to 50. */
  readonly owner_applications?: number | null;
  /** Parts whose service does not answer: they are empty. */
  readonly unavailable: readonly string[];
}

/** A part of the account, or undefined if its service does not answer. */
export function knownPart<T extends 'grants' | 'guilds' | 'applications' | 'webhooks'>(
  details: AccountDetails,
  part: T,
): AccountDetails[T] | undefined {
  return details.unavailable.includes(part) ? undefined : details[part];
}
