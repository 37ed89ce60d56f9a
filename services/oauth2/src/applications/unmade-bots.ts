import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Deps } from '../deps.ts';
import { claimUnmadeBots, forgetUnmadeBot, type UnmadeBot } from '../store/unmade-bots.ts';

const TIMEOUT_MS = 2_000;

export interface UnmadeBotsOptions extends Pick<Deps, 'db' | 'prisma' | 'auth'> {
  readonly log: Logger;
}

/**
 * Deletes bots at auth whose application was never created, because auth's answer was lost or the process ended before
 * the last step. A row of `unmade_bots` stays until auth has answered, through restarts and outages.
 */
export function openUnmadeBots({ db, prisma, auth, log }: UnmadeBotsOptions): Outbox<UnmadeBot> {
  return openOutbox({
    rows: {
      claim: (limit, retry_ms) => claimUnmadeBots(db, limit, retry_ms),
      forget: ({ application_id }) => forgetUnmadeBot(prisma, application_id),
    },
    deliver: ({ application_id, owner_id }) =>
      auth.deleteBot({ application_id, owner_id }, { timeoutMs: TIMEOUT_MS }),
    what: 'ends of unmade bots',
    log,
  });
}
