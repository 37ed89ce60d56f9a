import type { Logger } from '@gatehouse/kit/log';
import { type PeriodicJob, periodicJob } from '@gatehouse/kit/periodic-job';
import type { Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { MediaServiceDefinition } from '@gatehouse/proto/media';
import type { Pool } from 'pg';
import { findUsedAvatars } from '../store/avatars.ts';

interface AvatarCheckOptions {
  readonly db: Pool;
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly media: Client<typeof MediaServiceDefinition>;
  readonly log: Logger;
  /** A minute by default. */
  readonly every_ms?: number | undefined;
}

const CALL_TIMEOUT_MS = 10_000;

/**
 * Regularly tells media which pictures of webhooks are still in use: by a webhook, or by a message that a webhook
 * posted (services/media/README.md#references-to-a-picture). Replicas share the work, because media gives each of them
 * different pictures.
 */
export function checkAvatars({ db, chat, media, log, every_ms = 60_000 }: AvatarCheckOptions): PeriodicJob {
  const options = { timeoutMs: CALL_TIMEOUT_MS };

  async function checkNextPictures(): Promise<boolean> {
    const { pictures } = await media.listPublishedPictures({}, options);
    if (pictures.length === 0) return false;
    const hashes = pictures.map(({ hash }) => hash);
    // Webhooks first: a webhook has its picture before a message does.
    const used = new Set(await findUsedAvatars(db, hashes));
    const rest = hashes.filter((hash) => !used.has(hash));
    const shown = rest.length === 0 ? [] : (await chat.findNamedAvatars({ hashes: rest }, options)).hashes;
    const named = new Set([...used, ...shown]);
    const unnamed = pictures.filter(({ hash }) => !named.has(hash));
    await media.settlePublishedPictures({ named: [...named], unnamed }, options);
    return true;
  }

  return periodicJob(every_ms, async (closing) => {
    try {
      while (!closing.aborted && (await checkNextPictures()));
    } catch (error) {
      log.warn({ err: error }, 'pictures of webhooks could not be checked');
    }
  });
}
