import type { Handler } from '@gatehouse/kit/rpc';
import type { DropUploadsRequest, DropUploadsResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { deleteUploads } from '../store/uploads.ts';

export function dropUploads({ db }: Deps): Handler<DropUploadsRequest, DropUploadsResponse> {
  return async ({ ids }) => {
    await deleteUploads(db, ids);
    return {};
  };
}
