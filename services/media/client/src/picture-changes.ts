import { Fault, Status } from '@gatehouse/kit/fault';
import type { Job } from '@gatehouse/kit/job';
import type { Logger } from '@gatehouse/kit/log';
import { type OutboxRows, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import { SLOTS } from './slots.ts';

/** A change of a picture, as sent to media. */
export interface PictureChange {
  /** An account ID or a guild ID. */
  readonly owner_id: string;
  /** The guild, if an account has the picture in that guild only. */
  readonly guild_id?: string | null;
  readonly slot: keyof typeof SLOTS;
  /** Null removes the picture. */
  readonly hash: string | null;
  readonly upload_id: string | null;
  readonly version: number;
}

/** The outbox of a service: the changes that media has not received. */
export interface PictureChangeRows extends OutboxRows<PictureChange> {
  /** The changes of one owner. */
  find(owner_id: string): Promise<readonly PictureChange[]>;
}

/** Reports the pictures of accounts and guilds to media. */
export interface PictureChanges {
  readonly job: Job;
  /** Sends the changes of one owner now. Any replica retries failed ones. Never rejects. */
  send(owner_id: string): Promise<void>;
  close(): Promise<void>;
}

/** SQL: the time of a change, which its version has in microseconds. */
export const PICTURE_VERSION_TIME = 'to_timestamp(version / 1000000.0)';

const TIMEOUT_MS = 2_000;

interface PictureChangesOptions {
  readonly rows: PictureChangeRows;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly log: Logger;
}

/**
 * Opens the outbox. The row of a change stays until media has answered, so the change survives restarts of this process
 * and outages of media. Changes may arrive in any order: media compares their versions.
 */
export function openPictureChanges({ rows, media, log }: PictureChangesOptions): PictureChanges {
  const outbox = openOutbox({ rows, deliver, what: 'changes of pictures', log });

  async function deliver({ owner_id, guild_id = null, slot, hash, upload_id, version }: PictureChange) {
    const upload = hash === null ? null : { id: upload_id ?? '', hash };
    try {
      await media.keepPicture(
        { owner_id, guild_id, slot: SLOTS[slot], upload, version },
        { timeoutMs: TIMEOUT_MS },
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
      log.error({ owner_id, hash }, 'a picture is lost: its change reached media after more than a day');
    }
  }

  return {
    job: outbox,
    send: async (owner_id) => {
      try {
        await outbox.send(await rows.find(owner_id));
      } catch (error) {
        log.warn({ err: error, owner_id }, 'changes of pictures could not be read');
      }
    },
    close: outbox.close,
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.NOT_FOUND;
}
