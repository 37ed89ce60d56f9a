import type { Handler } from '@gatehouse/kit/rpc';
import type { SettlePublishedPicturesRequest, SettlePublishedPicturesResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { keepPublishedPictures, reportUnusedPictures } from '../store/published-pictures.ts';

export function settlePublishedPictures({
  db,
}: Deps): Handler<SettlePublishedPicturesRequest, SettlePublishedPicturesResponse> {
  return async ({ named, unnamed }) => {
    await keepPublishedPictures(db, named);
    await reportUnusedPictures(db, unnamed);
    return {};
  };
}
