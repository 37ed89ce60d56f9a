import type { Logger } from '@gatehouse/kit/log';
import type { Deps } from '../deps.ts';
import { claimUnmadeBots, forgetUnmadeBot, type UnmadeBot } from '../store/unmade-bots.ts';

const LOOK_EVERY_MS = 1_000;
/** How long one attempt has the bot to itself. */
const RETRY_MS = 3_000;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 8;

export interface UnmadeBotsOptions extends Pick<Deps, 'db' | 'records' | 'auth'> {
  readonly log: Logger;
}

/**
 * Ends at auth the bots of applications that were not made: auth's answer was lost, or this process ended before
 * the last step. The note of a bot outlives any outage: it goes when auth has answered.
 *
 * @returns how to end it
 */
export function endUnmadeBots({ db, records, auth, log }: UnmadeBotsOptions): () => Promise<void> {
  let looking: Promise<void> | undefined;

  async function end({ application_id, owner_id }: UnmadeBot): Promise<void> {
    try {
      await auth.deleteBot({ application_id, owner_id }, { timeoutMs: TIMEOUT_MS });
      await forgetUnmadeBot(records, application_id);
    } catch (error) {
      log.warn({ err: error, application_id }, 'auth has not ended an unmade bot; trying again');
    }
  }

  async function look(): Promise<void> {
    try {
      const bots = await claimUnmadeBots(db, AT_ONCE, RETRY_MS);
      await Promise.all(bots.map(end));
    } catch (error) {
      log.warn({ err: error }, 'unmade bots could not be looked up');
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
