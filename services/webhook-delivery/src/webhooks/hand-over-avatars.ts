import { type HandOver, handOver } from '@gatehouse/kit/db/hand-over';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { CallOptions, Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Pool } from 'pg';
import { moveOldAvatar, type OldAvatar } from '../store/avatars.ts';

const TIMEOUT_MS = 10_000;

/** Hands the pictures that were stored here before media had them over to it. */
export function handOverAvatars(
  db: Pool,
  media: Client<typeof MediaServiceDefinition>,
  log: Logger,
): HandOver {
  let place = '';

  async function move({ hash, bytes }: OldAvatar, options: CallOptions): Promise<void> {
    const { upload } = await media.importPicture({ hash, bytes }, options);
    await media.publishPicture({ upload }, options);
  }

  async function next(signal: AbortSignal): Promise<boolean> {
    let tried = place;
    try {
      const moved = await moveOldAvatar(db, place, (avatar) => {
        tried = avatar.hash;
        return move(avatar, { timeoutMs: TIMEOUT_MS, signal });
      });
      place = moved ?? '';
      return moved !== undefined;
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT) throw error;
      log.error({ err: error, hash: tried }, 'media refuses a picture; it stays here');
      place = tried;
      return true;
    }
  }

  return handOver({ what: 'avatars', next, log });
}
