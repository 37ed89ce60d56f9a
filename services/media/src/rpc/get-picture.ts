import type { Handler } from '@gatehouse/kit/rpc';
import type { GetPictureRequest, GetPictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { unknownPicture } from '../errors.ts';
import { isPictureHash } from '../pictures/hash.ts';
import { PART_BYTES } from '../pictures/part-bytes.ts';
import { isPictureOwner, NO_GUILD } from '../pictures/picture-owner.ts';
import { slotOf } from '../pictures/slot.ts';
import { findPicture } from '../store/pictures.ts';

export function getPicture({ db, limitReads }: Deps): Handler<GetPictureRequest, GetPictureResponse> {
  return async ({ slot: slot_number, owner_id, guild_id, hash }, { signal }) => {
    const slot = slotOf(slot_number);
    if (slot === undefined || !isPictureOwner(owner_id, guild_id) || !isPictureHash(hash))
      throw unknownPicture();
    const wanted = { owner_id, guild_id: guild_id ?? NO_GUILD, slot, hash };
    const found = await limitReads(() => findPicture(db, wanted, PART_BYTES), signal);
    if (found === undefined) throw unknownPicture();
    return found;
  };
}
