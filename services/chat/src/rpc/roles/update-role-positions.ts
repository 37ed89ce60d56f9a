import { type Membership, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  Position,
  Role,
  UpdateRolePositionsRequest,
  UpdateRolePositionsResponse,
} from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { badRequest, unknownRole } from '../../errors.ts';
import { roleUpdated } from '../../events/event.ts';
import { requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { requireAboveRole } from '../../guilds/hierarchy.ts';
import { readPositions } from '../../guilds/position-form.ts';
import { roleEntries } from '../../roles/role-audit.ts';
import { MAX_ROLES } from '../../roles/role-rules.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { findRoles, setRolePositions } from '../../store/roles.ts';

export function updateRolePositions(
  deps: Deps,
): Handler<UpdateRolePositionsRequest, UpdateRolePositionsResponse> {
  return async ({ guild_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    const positions = readPositions(request.positions, MAX_ROLES);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.MANAGE_ROLES);
      const moves = movesOf(await findRoles(tx, guild_id), positions);
      for (const move of moves) requireMovable(actor, move);
      if (moves.length === 0) return;

      await setRolePositions(
        tx,
        moves.map(({ after }) => after),
      );
      const by = { guild_id, user_id: account_id, reason };
      const entries = moves.flatMap(({ before, after }) => roleEntries(before, after, by));
      await insertAuditEntries(tx, deps.ids, entries);
      await insertEvents(
        tx,
        moves.map(({ after }) => roleUpdated(guild_id, after)),
      );
    });
    return {};
  };
}

interface Move {
  readonly before: Role;
  readonly after: Role;
}

/**
 * Roles whose position does not change are ignored, since clients send them too.
 *
 * @throws UNKNOWN_ROLE
 */
function movesOf(roles: readonly Role[], positions: readonly Position[]): Move[] {
  const byId = new Map(roles.map((role) => [role.id, role]));
  return positions.flatMap(({ id, position }) => {
    const before = byId.get(id);
    if (before === undefined) throw unknownRole();
    return before.position === position ? [] : [{ before, after: { ...before, position } }];
  });
}

/**
 * @throws MISSING_PERMISSIONS unless the role is below the actor's highest one before and after; BAD_REQUEST for
 * @everyone
 */
function requireMovable(actor: Membership, { before, after }: Move): void {
  requireAboveRole(actor, before);
  requireAboveRole(actor, after);
  if (before.id === actor.guild_id) throw badRequest('The role @everyone stays below all others.');
}
