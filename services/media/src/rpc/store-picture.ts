import { cancelled } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { StorePictureRequest, StorePictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { readPicture } from '../pictures/read.ts';
import { storeUpload } from '../pictures/store-upload.ts';
import { deleteUpload } from '../store/uploads.ts';

export function storePicture({ db, decode }: Deps): Handler<StorePictureRequest, StorePictureResponse> {
  return async ({ text, sender, guild_id }, { signal }) => {
    const picture = await readPicture(text, decode, { id: sender, signal });
    if (typeof picture === 'string') return { upload: null, refusal: picture };
    // A cancelled caller does not learn the ID of the upload, which would stay for a day.
    if (signal.aborted) throw cancelled();
    const stored = await storeUpload(db, picture, { sender, guild_id });
    if (typeof stored === 'string') return { upload: null, refusal: stored };
    const upload = { id: stored.id, hash: picture.hash };
    if (signal.aborted) {
      await deleteUpload(db, upload.id);
      throw cancelled();
    }
    return { upload, refusal: null };
  };
}
