import type { Membership } from '@gatehouse/chat-client/permissions';
import { missingPermissions } from '../errors.ts';

/** A place in the order of roles (docs/guilds.md#role-hierarchy). The owner's is above every role's. */
export function highestPosition(membership: Membership): number {
  if (membership.owner_id === membership.account_id) return Number.POSITIVE_INFINITY;
  return membership.roles.reduce((highest, { position }) => Math.max(highest, position), 0);
}

/** @throws MISSING_PERMISSIONS when the role is at or above the highest of the account */
export function requireAboveRole(membership: Membership, role: { readonly position: number }): void {
  if (highestPosition(membership) <= role.position) throw missingPermissions();
}

/** @throws MISSING_PERMISSIONS when the other's highest role is at or above that of the account, and for oneself */
export function requireAboveMember(membership: Membership, other: Membership): void {
  if (highestPosition(membership) <= highestPosition(other)) throw missingPermissions();
}
