import { concurrency } from '@gatehouse/kit/concurrency';
import { isPictureHash } from '@gatehouse/kit/picture/hash';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetAvatarRequest, GetAvatarResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { unknownPicture } from '../errors.ts';
import { findAvatar } from '../store/avatars.ts';

/** Anybody reads pictures, and they are large: most connections to the database stay for everything else. */
const TURNS = { at_once: 2, max_waiting: 64 };

export function getAvatar({ db }: Deps): Handler<GetAvatarRequest, GetAvatarResponse> {
  const inTurn = concurrency(TURNS);
  return async ({ hash }, { signal }) => {
    const picture = isPictureHash(hash) ? await inTurn(() => findAvatar(db, hash), signal) : undefined;
    if (picture === undefined) throw unknownPicture();
    return picture;
  };
}
