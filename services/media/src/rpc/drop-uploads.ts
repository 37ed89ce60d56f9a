import type { Handler } from '@gatehouse/kit/rpc';
import type { DropUploadsRequest, DropUploadsResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { requireUploadId } from '../pictures/upload-id.ts';
import { deleteUpload } from '../store/uploads.ts';

export function dropUploads({ db }: Deps): Handler<DropUploadsRequest, DropUploadsResponse> {
  return async ({ ids }) => {
    for (const id of ids) requireUploadId(id);
    for (const id of ids) await deleteUpload(db, id);
    return {};
  };
}
