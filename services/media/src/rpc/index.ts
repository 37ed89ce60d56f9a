import type { Handlers } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { dropUploads } from './drop-uploads.ts';
import { exportPicture } from './export-picture.ts';
import { getPicture } from './get-picture.ts';
import { getPicturePart } from './get-picture-part.ts';
import { keepPicture } from './keep-picture.ts';
import { listPublishedPictures } from './list-published-pictures.ts';
import { publishPicture } from './publish-picture.ts';
import { settlePublishedPictures } from './settle-published-pictures.ts';
import { storePicture } from './store-picture.ts';

export const mediaHandlers = (deps: Deps): Handlers<typeof MediaServiceDefinition> => ({
  storePicture: storePicture(deps),
  keepPicture: keepPicture(deps),
  publishPicture: publishPicture(deps),
  listPublishedPictures: listPublishedPictures(deps),
  settlePublishedPictures: settlePublishedPictures(deps),
  dropUploads: dropUploads(deps),
  exportPicture: exportPicture(deps),
  getPicture: getPicture(deps),
  getPicturePart: getPicturePart(deps),
});
