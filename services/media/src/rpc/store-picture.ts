import type { Handler } from '@gatehouse/kit/rpc';
import type { StorePictureRequest, StorePictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { readPicture } from '../pictures/read.ts';
import { insertUpload } from '../store/uploads.ts';

export function storePicture({ db, decode }: Deps): Handler<StorePictureRequest, StorePictureResponse> {
  return async ({ text, sender }, { signal }) => {
    const picture = await readPicture(text, decode, { id: sender, signal });
    if (typeof picture === 'string') return { upload: null, refusal: picture };
    return { upload: { id: await insertUpload(db, picture), hash: picture.hash }, refusal: null };
  };
}
