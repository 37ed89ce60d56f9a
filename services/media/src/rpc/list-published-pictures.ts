import type { Handler } from '@gatehouse/kit/rpc';
import type { ListPublishedPicturesRequest, ListPublishedPicturesResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { claimPublishedPictures } from '../store/published-pictures.ts';

const CLAIM_LIMIT = 200;

export function listPublishedPictures({
  db,
}: Deps): Handler<ListPublishedPicturesRequest, ListPublishedPicturesResponse> {
  return async () => ({ pictures: await claimPublishedPictures(db, CLAIM_LIMIT) });
}
