import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ExportPictureRequest, ExportPictureResponse } from '@gatehouse/proto/media';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { findNextPicture } from '../store/kept-pictures.ts';

const CURSOR = /^(avatar|banner|icon)-(\d{1,19})$/;

export function exportPicture({
  db,
  limitReads,
}: Deps): Handler<ExportPictureRequest, ExportPictureResponse> {
  return async ({ account_id, after }, { signal }) => {
    if (!isSnowflake(account_id)) throw badRequest('account_id is not an ID.');
    const [, slot = '', guild_id = '0'] = CURSOR.exec(after ?? '') ?? [];
    const found = await limitReads(() => findNextPicture(db, account_id, { guild_id, slot }), signal);
    if (found === undefined) return { content_type: '', bytes: Buffer.alloc(0) };
    return {
      name: `${found.slot}-${found.guild_id}`,
      content_type: found.content_type,
      bytes: Buffer.from(found.base64, 'base64'),
    };
  };
}
