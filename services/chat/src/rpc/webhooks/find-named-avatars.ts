import type { Handler } from '@gatehouse/kit/rpc';
import type { FindNamedAvatarsRequest, FindNamedAvatarsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { findShownAvatars } from '../../store/webhook-avatars.ts';

export function findNamedAvatars({ db }: Deps): Handler<FindNamedAvatarsRequest, FindNamedAvatarsResponse> {
  return async ({ hashes }) => ({ hashes: await findShownAvatars(db, hashes) });
}
