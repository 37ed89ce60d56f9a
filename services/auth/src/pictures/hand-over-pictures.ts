import { type HandOver, handOver } from '@gatehouse/kit/db/hand-over';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { CallOptions, Client } from '@gatehouse/kit/rpc';
import { SLOTS } from '@gatehouse/media-client/slots';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Pool } from 'pg';
import { moveOldPicture, type OldPicture, type OldPicturePlace } from '../store/pictures.ts';

const TIMEOUT_MS = 10_000;
const FIRST: OldPicturePlace = { account_id: '0', slot: 'avatar' };

/** Hands the pictures that were stored here before media had them over to it. */
export function handOverPictures(
  db: Pool,
  media: Client<typeof MediaServiceDefinition>,
  log: Logger,
): HandOver {
  let place = FIRST;

  async function move(
    { account_id, slot, hash, bytes, version }: OldPicture,
    options: CallOptions,
  ): Promise<void> {
    const { upload } = await media.importPicture({ hash, bytes }, options);
    await media.keepPicture({ owner_id: account_id, slot: SLOTS[slot], upload, version }, options);
  }

  async function next(signal: AbortSignal): Promise<boolean> {
    let tried = place;
    try {
      const moved = await moveOldPicture(db, place, (picture) => {
        tried = picture;
        return move(picture, { timeoutMs: TIMEOUT_MS, signal });
      });
      place = moved ?? FIRST;
      return moved !== undefined;
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT) throw error;
      log.error({ err: error, account_id: tried.account_id }, 'media refuses a picture; it stays here');
      place = { account_id: tried.account_id, slot: tried.slot };
      return true;
    }
  }

  return handOver({ what: 'pictures', next, log });
}
