import type { GetAccountResponse } from '@gatehouse/proto/auth-admin';
import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { AccountGrant, AdminApplication } from '@gatehouse/proto/oauth2-admin';
import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';

/** An account with what all services know of it. Without auth, there is only what the others know. */
export interface AccountDetails extends Partial<GetAccountResponse> {
  readonly grants: readonly AccountGrant[];
  readonly guilds: readonly AdminGuild[];
  readonly applications: readonly AdminApplication[];
  /** The newest 50. */
  readonly webhooks: readonly AdminWebhook[];
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
