import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Deps } from '../deps.ts';
import { type DeletedBot, deletedBotRows } from '../store/deleted-bots.ts';

const AUTH_TIMEOUT_MS = 2_000;
/** A repeated call continues where the last one timed out. */
const CHAT_TIMEOUT_MS = 2_500;

/** Deletes the bots of deleted applications from auth and chat. Restarts and outages only delay it. */
export function openDeletedBots(
  { db, auth, chat }: Pick<Deps, 'db' | 'auth' | 'chat'>,
  log: Logger,
): Outbox<DeletedBot> {
  return openOutbox({
    rows: deletedBotRows(db),
    deliver: async ({ application_id, owner_id }) => {
      await auth.deleteBot({ application_id, owner_id }, { timeoutMs: AUTH_TIMEOUT_MS });
      await chat.removeBot({ bot_id: application_id }, { timeoutMs: CHAT_TIMEOUT_MS });
    },
    what: 'deletions of bots',
    log,
  });
}
