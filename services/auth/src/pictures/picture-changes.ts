import { Fault, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Pool } from 'pg';
import {
  claimPictureChanges,
  findPictureChanges,
  forgetPictureChange,
  type PictureChange,
} from '../store/picture-changes.ts';
import { SLOTS } from './slots.ts';

/** Tells media which pictures accounts have. */
export interface PictureChanges {
  /** Of one account, now; when that fails it is done later, by whichever replica. Never throws. */
  send(account_id: string): Promise<void>;
  close(): Promise<void>;
}

/** How long one attempt has a change to itself. */
export const RETRY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 8;

interface PictureChangesOptions {
  readonly db: Pool;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly log: Logger;
}

/**
 * The note of a change outlives this process and any outage of media: it goes when media has answered. Two may be
 * under way at once and arrive in whatever order; media goes by their versions.
 */
export function openPictureChanges({ db, media, log }: PictureChangesOptions): PictureChanges {
  let looking: Promise<void> | undefined;

  async function sendOne(change: PictureChange): Promise<void> {
    const { account_id, slot, hash, upload_id, version } = change;
    const upload = hash === null ? null : { id: upload_id ?? '', hash };
    try {
      await media.keepPicture(
        { owner_id: account_id, slot: SLOTS[slot], upload, version },
        { timeoutMs: TIMEOUT_MS },
      );
    } catch (error) {
      if (!isGone(error)) {
        log.warn({ err: error, account_id }, 'media has not taken a picture; trying again');
        return;
      }
      log.error({ account_id, hash }, 'media has lost a picture: it waited for more than a day');
    }
    await forgetPictureChange(db, change);
  }

  async function look(): Promise<void> {
    const changes = await claimPictureChanges(db, AT_ONCE, RETRY_MS);
    await Promise.all(changes.map(sendOne));
  }

  const quietly = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.warn({ err: error }, 'changes of pictures could not be sent'));

  const timer = setInterval(() => {
    looking ??= quietly(look()).finally(() => {
      looking = undefined;
    });
  }, LOOK_EVERY_MS).unref();

  return {
    send: (account_id) =>
      quietly(
        findPictureChanges(db, account_id)
          .then((changes) => Promise.all(changes.map(sendOne)))
          .then(() => undefined),
      ),
    close: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.NOT_FOUND;
}
