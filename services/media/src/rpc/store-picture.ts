import { cancelled } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { StorePictureRequest, StorePictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { readPicture } from '../pictures/read.ts';
import { deleteUpload, insertUpload } from '../store/uploads.ts';

export function storePicture({ db, decode }: Deps): Handler<StorePictureRequest, StorePictureResponse> {
  return async ({ text, sender }, { signal }) => {
    const picture = await readPicture(text, decode, { id: sender, signal });
    if (typeof picture === 'string') return { upload: null, refusal: picture };
    // Whoever has gone learns of no upload, so none is to stay for a day.
    if (signal.aborted) throw cancelled();
    const upload = { id: await insertUpload(db, picture), hash: picture.hash };
    if (signal.aborted) {
      await deleteUpload(db, upload.id);
      throw cancelled();
    }
    return { upload, refusal: null };
  };
}
