import { inTransaction } from '@gatehouse/kit/db/transaction';
import { type OperatorAction, readOperatorAction } from '@gatehouse/kit/operator-form';
import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { Pool, PoolClient } from 'pg';
import { noSuchGuild } from '../errors.ts';
import { type AdminGuildRow, lockAdminGuild } from '../store/guilds/admin-guilds.ts';
import { adminGuildView } from './admin-guild-view.ts';
import { requireId } from './require-id.ts';

interface ChangeRequest extends OperatorAction {
  readonly guild_id: string;
}

/**
 * Changes a guild for an operator, with the guild locked: changes under way end before, and later ones find the new state.
 *
 * @throws INVALID_FORM_BODY; UNKNOWN_GUILD
 */
export async function changeAdminGuild(
  db: Pool,
  { guild_id, operator, reason }: ChangeRequest,
  change: (tx: PoolClient, action: OperatorAction) => Promise<AdminGuildRow | undefined>,
): Promise<{ readonly before: AdminGuild; readonly after: AdminGuild }> {
  requireId('guild_id', guild_id);
  const action = readOperatorAction({ operator, reason });
  return inTransaction(db, async (tx) => {
    const before = await lockAdminGuild(tx, guild_id);
    const after = before && (await change(tx, action));
    if (before === undefined || after === undefined) throw noSuchGuild();
    return { before: adminGuildView(before), after: adminGuildView(after) };
  });
}
