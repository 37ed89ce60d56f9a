import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetPictureRequest, GetPictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { unknownPicture } from '../errors.ts';
import { isPictureHash } from '../pictures/hash.ts';
import { PART_BYTES } from '../pictures/part.ts';
import { slotOf } from '../pictures/slot.ts';
import { findPicture } from '../store/pictures.ts';

export function getPicture({ db, readInTurn }: Deps): Handler<GetPictureRequest, GetPictureResponse> {
  return async ({ slot: asked, owner_id, hash }, { signal }) => {
    const slot = slotOf(asked);
    if (slot === undefined || !isSnowflake(owner_id) || !isPictureHash(hash)) throw unknownPicture();
    const found = await readInTurn(() => findPicture(db, { owner_id, slot, hash }, PART_BYTES), signal);
    if (found === undefined) throw unknownPicture();
    return found;
  };
}
