import { type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { MemberRow } from '@gatehouse/chat-client/rows';
import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { memberUpdated } from '../events/event.ts';
import { requireGuildPermission } from '../guilds/access.ts';
import { requireMember } from '../guilds/require-member.ts';
import { insertEvents } from '../store/events/events.ts';
import { queuePictureChange } from '../store/members/picture-changes.ts';
import { changeProfile } from './change-profile.ts';
import type { ProfilePatch } from './profile-form.ts';
import type { ProfilePictures } from './profile-pictures.ts';

interface OwnChanges {
  readonly changes: ProfilePatch;
  /** The stored pictures that the changes name by hash. */
  readonly pictures: ProfilePictures;
  readonly reason: string | null;
}

/** Changes a member's own profile in a locked guild. */
export async function changeOwnProfile(
  tx: PoolClient,
  deps: Deps,
  actor: Membership,
  { changes, pictures, reason }: OwnChanges,
): Promise<MemberRow> {
  const { guild_id, account_id } = actor;
  if (changes.nick !== undefined) requireGuildPermission(actor, Permission.CHANGE_NICKNAME);
  const before = await requireMember(tx, guild_id, account_id);
  const by = { guild_id, user_id: account_id, reason };
  if (!(await changeProfile(tx, deps, by, before, changes))) return before;
  const after = await requireMember(tx, guild_id, account_id);
  for (const slot of ['avatar', 'banner'] as const) {
    if (before[slot] === after[slot]) continue;
    const upload_id = pictures[slot]?.id ?? null;
    const change = { owner_id: account_id, guild_id, slot, hash: after[slot], upload_id };
    await queuePictureChange(tx, change, OUTBOX_RETRY_MS);
  }
  await insertEvents(tx, [memberUpdated(guild_id, after)]);
  return after;
}
