import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Deps } from '../deps.ts';
import { claimOrphanedBots, deleteOrphanedBotRow, type OrphanedBot } from '../store/orphaned-bots.ts';

const DELETE_BOT_TIMEOUT_MS = 2_000;

/**
 * Deletes bots at auth whose application was never created, because auth's response was lost or the process ended before
 * the last step. A bot's row stays until auth has answered, through restarts and outages.
 */
export function openOrphanedBots(
  { db, prisma, auth }: Pick<Deps, 'db' | 'prisma' | 'auth'>,
  log: Logger,
): Outbox<OrphanedBot> {
  return openOutbox({
    rows: {
      claim: (limit, retry_ms) => claimOrphanedBots(db, limit, retry_ms),
      complete: ({ application_id }) => deleteOrphanedBotRow(prisma, application_id),
    },
    deliver: ({ application_id, owner_id }) =>
      auth.deleteBot({ application_id, owner_id }, { timeoutMs: DELETE_BOT_TIMEOUT_MS }),
    what: 'deletions of orphaned bots',
    log,
  });
}
