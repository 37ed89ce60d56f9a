import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { PublishPictureRequest, PublishPictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { unknownPicture } from '../errors.ts';
import { requireUploadId } from '../pictures/upload-id.ts';
import { markPublished } from '../store/pictures.ts';
import { deleteUpload } from '../store/uploads.ts';

export function publishPicture({ db }: Deps): Handler<PublishPictureRequest, PublishPictureResponse> {
  return async ({ upload }) => {
    if (upload === null) throw unknownPicture();
    requireUploadId(upload.id);
    await inTransaction(db, async (tx) => {
      if (!(await markPublished(tx, upload.hash))) throw unknownPicture();
      await deleteUpload(tx, upload.id);
    });
    return {};
  };
}
