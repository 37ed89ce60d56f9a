import { isPictureHash } from '@gatehouse/kit/picture/hash';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetAvatarRequest, GetAvatarResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { unknownPicture } from '../errors.ts';
import { findAvatar } from '../store/avatars.ts';

export function getAvatar({ db }: Deps): Handler<GetAvatarRequest, GetAvatarResponse> {
  return async ({ hash }) => {
    const picture = isPictureHash(hash) ? await findAvatar(db, hash) : undefined;
    if (picture === undefined) throw unknownPicture();
    return picture;
  };
}
