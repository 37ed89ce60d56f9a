import type { Handler } from '@gatehouse/kit/rpc';
import type { ImportPictureRequest, ImportPictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { contentType } from '../pictures/content-type.ts';
import { pictureHash } from '../pictures/hash.ts';
import { insertUpload } from '../store/uploads.ts';

export function importPicture({ db }: Deps): Handler<ImportPictureRequest, ImportPictureResponse> {
  return async ({ hash, bytes: given }) => {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
    const content_type = contentType(bytes);
    if (content_type === undefined) throw badRequest('The bytes are no picture.');
    if (hash !== pictureHash(bytes, hash.startsWith('a_'))) throw badRequest('The hash is of other bytes.');
    return { upload: { id: await insertUpload(db, { hash, content_type, bytes }), hash } };
  };
}
