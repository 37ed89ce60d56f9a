import { concurrency } from '@gatehouse/kit/concurrency';
import { isPictureHash } from '@gatehouse/kit/picture/hash';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { type GetPictureRequest, type GetPictureResponse, PictureKind } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { findPicture } from '../store/pictures.ts';

const KINDS: ReadonlyMap<PictureKind, 'avatar' | 'banner'> = new Map([
  [PictureKind.PICTURE_KIND_AVATAR, 'avatar'],
  [PictureKind.PICTURE_KIND_BANNER, 'banner'],
]);

/** Anybody reads pictures, and they are large: most connections to the database stay for Identify and the rest. */
const TURNS = { at_once: 2, max_waiting: 64 };

export function getPicture({ db }: Deps): Handler<GetPictureRequest, GetPictureResponse> {
  const inTurn = concurrency(TURNS);
  return async ({ kind, account_id, hash }, { signal }) => {
    const known = KINDS.get(kind);
    if (known === undefined || !isSnowflake(account_id) || !isPictureHash(hash)) throw notFound();
    const picture = await inTurn(() => findPicture(db, account_id, known, hash), signal);
    if (picture === undefined) throw notFound();
    return picture;
  };
}
