import { isForeignKeyViolation } from '@gatehouse/kit/db/errors';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { KeepPictureRequest, KeepPictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { badRequest, unknownPicture } from '../errors.ts';
import { isPictureOwner, NO_GUILD } from '../pictures/picture-owner.ts';
import { slotOf } from '../pictures/slot.ts';
import { requireUploadId } from '../pictures/upload-id.ts';
import { upsertKeptPicture } from '../store/kept-pictures.ts';
import { deleteUpload } from '../store/uploads.ts';

export function keepPicture({ db }: Deps): Handler<KeepPictureRequest, KeepPictureResponse> {
  return async ({ owner_id, guild_id, slot: slot_number, upload, version }) => {
    const slot = slotOf(slot_number);
    if (slot === undefined || !isPictureOwner(owner_id, guild_id))
      throw badRequest('Slot and owner must be known.');
    if (version < 1) throw badRequest('The version must be at least 1.');
    if (upload != null) requireUploadId(upload.id);
    const kept = { owner_id, guild_id: guild_id ?? NO_GUILD, slot, hash: upload?.hash ?? null, version };
    try {
      // The slot first, so that the picture is referenced at all times.
      await inTransaction(db, async (tx) => {
        await upsertKeptPicture(tx, kept);
        if (upload != null) await deleteUpload(tx, upload.id);
      });
    } catch (error) {
      throw isForeignKeyViolation(error) ? unknownPicture() : error;
    }
    return {};
  };
}
