import type { Handler } from '@gatehouse/kit/rpc';
import type { GetPicturePartRequest, GetPicturePartResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { badRequest, unknownPicture } from '../errors.ts';
import { isPictureHash } from '../pictures/hash.ts';
import { PART_BYTES } from '../pictures/part-bytes.ts';
import { findPicturePart } from '../store/pictures.ts';

/** PostgreSQL counts bytes from 1, in 32 bits. */
const MAX_OFFSET = 2 ** 31 - 2;

export function getPicturePart({
  db,
  limitReads,
}: Deps): Handler<GetPicturePartRequest, GetPicturePartResponse> {
  return async ({ hash, offset }, { signal }) => {
    if (!isPictureHash(hash) || offset < 0) throw unknownPicture();
    if (offset > MAX_OFFSET) throw badRequest('No picture is as long.');
    const bytes = await limitReads(() => findPicturePart(db, hash, offset, PART_BYTES), signal);
    if (bytes === undefined) throw unknownPicture();
    return { bytes };
  };
}
