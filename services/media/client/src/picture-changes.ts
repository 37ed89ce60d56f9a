import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { type OutboxRows, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import { SLOTS } from './slots.ts';

/** A change of a picture that media is to be told of. */
export interface PictureChange {
  /** An account's ID, or a guild's. */
  readonly owner_id: string;
  /** The guild that an account has the picture in; absent or null: it is the owner's own. */
  readonly guild_id?: string | null;
  readonly slot: keyof typeof SLOTS;
  /** Null: there is none now. */
  readonly hash: string | null;
  readonly upload_id: string | null;
  readonly version: number;
}

/** Where a service keeps the notes of changes that media has not been told of. */
export interface PictureNotes extends OutboxRows<PictureChange> {
  /** Those of one owner. */
  find(owner_id: string): Promise<readonly PictureChange[]>;
}

/** Tells media which pictures accounts and guilds have. */
export interface PictureChanges {
  /** Of one owner, now; when that fails it is done later, by whichever replica. Never throws. */
  send(owner_id: string): Promise<void>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 2_000;

interface PictureChangesOptions {
  readonly notes: PictureNotes;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly log: Logger;
}

/**
 * The note of a change outlives this process and any outage of media: it goes when media has answered. Two may be
 * under way at once and arrive in whatever order; media goes by their versions.
 */
export function openPictureChanges({ notes, media, log }: PictureChangesOptions): PictureChanges {
  const outbox = openOutbox({ rows: notes, deliver, what: 'changes of pictures', log });

  async function deliver({ owner_id, guild_id = null, slot, hash, upload_id, version }: PictureChange) {
    const upload = hash === null ? null : { id: upload_id ?? '', hash };
    try {
      await media.keepPicture(
        { owner_id, guild_id, slot: SLOTS[slot], upload, version },
        { timeoutMs: TIMEOUT_MS },
      );
    } catch (error) {
      if (!isGone(error)) throw error;
      log.error({ owner_id, hash }, 'media has lost a picture: it waited for more than a day');
    }
  }

  return {
    send: async (owner_id) => {
      try {
        await outbox.send(await notes.find(owner_id));
      } catch (error) {
        log.warn({ err: error, owner_id }, 'changes of pictures could not be read');
      }
    },
    close: outbox.close,
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.NOT_FOUND;
}
