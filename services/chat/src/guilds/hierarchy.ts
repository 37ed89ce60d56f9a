import type { Membership } from '@gatehouse/chat-client/permissions';
import { missingPermissions } from '../errors.ts';

/** A rank in the role hierarchy (docs/guilds.md#role-hierarchy). The owner ranks above all roles. */
export function highestPosition(membership: Membership): number {
  if (membership.owner_id === membership.account_id) return Number.POSITIVE_INFINITY;
  return membership.roles.reduce((highest, { position }) => Math.max(highest, position), 0);
}

/** @throws MISSING_PERMISSIONS if the role is at or above the account's highest role */
export function requireAboveRole(membership: Membership, role: { readonly position: number }): void {
  if (highestPosition(membership) <= role.position) throw missingPermissions();
}

/** @throws MISSING_PERMISSIONS if the other's highest role is at or above the account's, or it is the same account */
export function requireAboveMember(membership: Membership, other: Membership): void {
  if (highestPosition(membership) <= highestPosition(other)) throw missingPermissions();
}
