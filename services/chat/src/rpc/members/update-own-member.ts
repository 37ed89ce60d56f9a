import { viewMember } from '@gatehouse/chat-client/member-view';
import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateOwnMemberRequest, UpdateOwnMemberResponse } from '@gatehouse/proto/chat';
import type { Upload } from '@gatehouse/proto/media';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { accessGuild, requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { requireMember } from '../../guilds/require-member.ts';
import { changeOwnProfile } from '../../members/change-own-profile.ts';
import { profileChanges } from '../../members/change-profile.ts';
import { readProfileForm } from '../../members/profile-form.ts';
import { hashOf, storePictures } from '../../members/profile-pictures.ts';

/** First come all checks, then the charge to the limits, then the first change. */
export function updateOwnMember(deps: Deps): Handler<UpdateOwnMemberRequest, UpdateOwnMemberResponse> {
  return async (request, call) => {
    const { guild_id } = request;
    const account_id = requireAccount(call.caller);
    const texts = readProfileForm(request);
    const reason = readReason(request.reason);
    const membership = await accessGuild(deps.db, guild_id, account_id);
    if (texts.nick !== undefined) requireGuildPermission(membership, Permission.CHANGE_NICKNAME);

    // Counted per member: otherwise four members would use up the guild's daily limit.
    const uploads = new Uploads(deps.media, call);
    let kept: readonly (Upload | null | undefined)[] = [];
    try {
      const pictures = await storePictures(uploads, request);
      const wanted = { ...texts, avatar: hashOf(pictures.avatar), banner: hashOf(pictures.banner) };
      const before = await requireMember(deps.db, guild_id, account_id);
      const shownUsers = await deps.users([account_id]);
      const changes = profileChanges(before, wanted);
      if (Object.keys(changes).length === 0) return { member: viewMember(before, shownUsers) };
      // Outside the transaction, so that calls of other services do not hold the guild's lock.
      await deps.takeProfileChanges({ account_id, guild_id }, changes, call);
      const changed = (['avatar', 'banner'] as const).filter((slot) => changes[slot] !== undefined);
      // From here on the member may use the stored pictures.
      kept = changed.map((slot) => pictures[slot]);
      const member = await changeGuild(deps, guild_id, account_id, (tx, actor) =>
        changeOwnProfile(tx, deps, actor, { changes, pictures, reason }),
      );
      if (changed.length > 0) await deps.pictureChanges.send(account_id);
      return { member: viewMember(member, shownUsers) };
    } finally {
      uploads.dropAllBut(kept);
    }
  };
}
