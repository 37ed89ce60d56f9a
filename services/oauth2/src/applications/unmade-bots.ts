import type { Logger } from '@gatehouse/kit/log';
import type { Deps } from '../deps.ts';
import { claimUnmadeBots, forgetUnmadeBot, type UnmadeBot } from '../store/unmade-bots.ts';

const LOOK_EVERY_MS = 1_000;
/** The lease of one attempt. */
const RETRY_MS = 3_000;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 8;

export interface UnmadeBotsOptions extends Pick<Deps, 'db' | 'records' | 'auth'> {
  readonly log: Logger;
}

/**
 * Has auth delete the bots of applications that were not created, because auth's answer was lost or the process ended
 * before the last step. A row of `unmade_bots` stays until auth has answered, through restarts and outages.
 *
 * @returns a function that stops it
 */
export function endUnmadeBots({ db, records, auth, log }: UnmadeBotsOptions): () => Promise<void> {
  let looking: Promise<void> | undefined;

  async function end({ application_id, owner_id }: UnmadeBot): Promise<void> {
    try {
      await auth.deleteBot({ application_id, owner_id }, { timeoutMs: TIMEOUT_MS });
      await forgetUnmadeBot(records, application_id);
    } catch (error) {
      log.warn({ err: error, application_id }, 'auth did not delete an unmade bot; it will be retried');
    }
  }

  async function look(): Promise<void> {
    try {
      const bots = await claimUnmadeBots(db, AT_ONCE, RETRY_MS);
      await Promise.all(bots.map(end));
    } catch (error) {
      log.warn({ err: error }, 'reading unmade bots failed');
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_EVERY_MS).unref();

  return async () => {
    clearInterval(timer);
    await looking;
  };
}
