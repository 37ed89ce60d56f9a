import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Pool } from 'pg';
import type { Deps } from '../deps.ts';
import { type EndedBot, endedBotRows } from '../store/ended-bots.ts';

const TIMEOUT_MS = 2_000;

export interface EndedBotsOptions extends Pick<Deps, 'auth'> {
  readonly db: Pool;
  readonly log: Logger;
}

/** Ends the bots of deleted applications at auth, through restarts and outages. */
export function openEndedBots({ db, auth, log }: EndedBotsOptions): Outbox<EndedBot> {
  return openOutbox({
    rows: endedBotRows(db),
    tell: ({ application_id, owner_id }) =>
      auth.deleteBot({ application_id, owner_id }, { timeoutMs: TIMEOUT_MS }),
    what: 'ends of bots',
    log,
  });
}
