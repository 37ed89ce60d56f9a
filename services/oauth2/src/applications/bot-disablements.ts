import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Deps } from '../deps.ts';
import { type BotDisablement, botDisablementRows } from '../store/bot-disablements.ts';

/** An operator waits for the first attempt. */
const AUTH_TIMEOUTS_MS = { sent: 1_000, claimed: 2_000 } as const;

/** Tells auth which bots are disabled: it refuses their tokens. Restarts and outages only delay it. */
export function openBotDisablements(
  { db, prisma, auth }: Pick<Deps, 'db' | 'prisma' | 'auth'>,
  log: Logger,
): Outbox<BotDisablement> {
  return openOutbox({
    rows: botDisablementRows(db, prisma),
    deliver: (bot, cause) => auth.setBotDisabled(bot, { timeoutMs: AUTH_TIMEOUTS_MS[cause] }),
    what: 'disabled and enabled bots',
    log,
  });
}
