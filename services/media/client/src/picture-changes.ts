import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
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
export interface PictureNotes {
  /** Those of one owner. */
  find(owner_id: string): Promise<readonly PictureChange[]>;
  /** Takes those that are due, the longest waiting first; nobody else does for `retry_ms`. */
  claim(limit: number, retry_ms: number): Promise<readonly PictureChange[]>;
  /** Media knows of it. */
  forget(change: PictureChange): Promise<void>;
}

/** Tells media which pictures accounts and guilds have. */
export interface PictureChanges {
  /** Of one owner, now; when that fails it is done later, by whichever replica. Never throws. */
  send(owner_id: string): Promise<void>;
  close(): Promise<void>;
}

/** How long one attempt has a change to itself. */
export const RETRY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 8;

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
  let looking: Promise<void> | undefined;
  let closed = false;

  /** Whether media has answered. */
  async function sendOne(change: PictureChange): Promise<boolean> {
    const { owner_id, guild_id = null, slot, hash, upload_id, version } = change;
    const upload = hash === null ? null : { id: upload_id ?? '', hash };
    try {
      await media.keepPicture(
        { owner_id, guild_id, slot: SLOTS[slot], upload, version },
        { timeoutMs: TIMEOUT_MS },
      );
    } catch (error) {
      if (!isGone(error)) {
        log.warn({ err: error, owner_id }, 'media has not taken a picture; trying again');
        return false;
      }
      log.error({ owner_id, hash }, 'media has lost a picture: it waited for more than a day');
    }
    await notes.forget(change);
    return true;
  }

  async function look(): Promise<void> {
    // A guild may have ended with the pictures of all its members: until nothing is due, or media is away.
    for (let more = true; more; ) {
      const changes = await notes.claim(AT_ONCE, RETRY_MS);
      const sent = await Promise.all(changes.map(sendOne));
      more = changes.length === AT_ONCE && sent.every(Boolean) && !closed;
    }
  }

  const quietly = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.warn({ err: error }, 'changes of pictures could not be sent'));

  const timer = setInterval(() => {
    looking ??= quietly(look()).finally(() => {
      looking = undefined;
    });
  }, LOOK_EVERY_MS).unref();

  return {
    send: (owner_id) =>
      quietly(
        notes
          .find(owner_id)
          .then((changes) => Promise.all(changes.map(sendOne)))
          .then(() => undefined),
      ),
    close: async () => {
      closed = true;
      clearInterval(timer);
      await looking;
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.NOT_FOUND;
}
