import type { Handler } from '@gatehouse/kit/rpc';
import type { GetInviteRequest, GetInviteResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { viewInvite } from '../../invites/invite-view.ts';
import { requireInvite } from '../../invites/require-invite.ts';

/** Open to all callers with the code. */
export function getInvite({ db, users }: Deps): Handler<GetInviteRequest, GetInviteResponse> {
  return async ({ code }) => {
    const invite = await requireInvite(db, code);
    return { invite: viewInvite(invite, await users([invite.inviter_id])) };
  };
}
