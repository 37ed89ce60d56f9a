import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Pool } from 'pg';
import type { Deps } from '../deps.ts';
import { type EndedBot, endedBotRows } from '../store/ended-bots.ts';

const AUTH_TIMEOUT_MS = 2_000;
/** Work done before the timeout is not repeated. */
const CHAT_TIMEOUT_MS = 2_500;

export interface EndedBotsOptions extends Pick<Deps, 'auth' | 'chat'> {
  readonly db: Pool;
  readonly log: Logger;
}

/** Deletes the bots of deleted applications from auth and chat. Restarts and outages only delay it. */
export function openEndedBots({ db, auth, chat, log }: EndedBotsOptions): Outbox<EndedBot> {
  return openOutbox({
    rows: endedBotRows(db),
    deliver: async ({ application_id, owner_id }) => {
      await auth.deleteBot({ application_id, owner_id }, { timeoutMs: AUTH_TIMEOUT_MS });
      await chat.removeBot({ bot_id: application_id }, { timeoutMs: CHAT_TIMEOUT_MS });
    },
    what: 'ends of bots',
    log,
  });
}
