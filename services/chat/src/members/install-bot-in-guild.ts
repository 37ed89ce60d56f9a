import { Permission } from '@gatehouse/chat-client/permissions';
import type { Call } from '@gatehouse/kit/rpc';
import type { Role } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { botAlreadyInGuild } from '../errors.ts';
import { guildCreated, memberAdded, roleCreated } from '../events/event.ts';
import { requireGuildPermission } from '../guilds/access.ts';
import { changeGuild } from '../guilds/change-guild.ts';
import { requireMember } from '../guilds/require-member.ts';
import { requireTimeToAnswer } from '../require-time-to-answer.ts';
import { roleEntries } from '../roles/role-audit.ts';
import { enforceRoleLimit, requireGrantable } from '../roles/role-rules.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { insertEvents } from '../store/events/events.ts';
import { findGuildRows } from '../store/guilds/guild-states.ts';
import { insertMemberRoles } from '../store/members/member-roles.ts';
import { insertMember } from '../store/members/memberships.ts';
import { findRoles, insertRole } from '../store/roles.ts';

/** #99AAB5 (docs/oauth2.md#bot-role). */
const BOT_ROLE_COLOR = 0x99aab5;

export interface NewBot {
  readonly id: string;
  readonly role_name: string;
  /** 0n for no role. */
  readonly permissions: bigint;
  /** For the audit log. */
  readonly reason: string | null;
}

/**
 * Adds a bot to a guild, with a role for its permissions (docs/oauth2.md#bot-installation). Returns the role's ID.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS, BOT_ALREADY_IN_GUILD, BAD_REQUEST, GATEWAY_TIMEOUT; then
 * nothing changes
 */
export function installBotInGuild(
  deps: Deps,
  guild_id: string,
  user_id: string,
  bot: NewBot,
  call: Call,
): Promise<string | undefined> {
  return changeGuild(deps, guild_id, user_id, async (tx, actor) => {
    requireGuildPermission(actor, Permission.MANAGE_GUILD);
    requireGrantable(actor, bot.permissions);
    const member_count = await insertMember(tx, guild_id, bot.id, user_id);
    if (member_count === undefined) throw botAlreadyInGuild();
    const role = bot.permissions === 0n ? undefined : await createBotRole(tx, deps.ids(), guild_id, bot);

    const by = { guild_id, user_id, reason: bot.reason };
    await insertAuditEntries(tx, deps.ids, [
      { ...by, action_type: AuditAction.BOT_ADD, target_id: bot.id },
      ...(role === undefined ? [] : [...roleEntries(undefined, role, by), roleAssigned(bot, role, by)]),
    ]);
    const member = await requireMember(tx, guild_id, bot.id);
    await insertEvents(tx, [
      ...(role === undefined ? [] : [roleCreated(guild_id, role)]),
      memberAdded(guild_id, member, member_count),
      guildCreated(guild_id, member, await findGuildRows(tx, guild_id, member)),
    ]);
    requireTimeToAnswer(call);
    return role?.id;
  });
}

/** Creates the bot's role above all others, and assigns it. */
async function createBotRole(tx: PoolClient, id: string, guildId: string, bot: NewBot): Promise<Role> {
  await enforceRoleLimit(tx, guildId);
  const highest = (await findRoles(tx, guildId)).at(-1)?.position ?? 0;
  const role: Role = {
    id,
    name: bot.role_name,
    color: BOT_ROLE_COLOR,
    position: highest + 1,
    hoist: false,
    mentionable: false,
    permissions: String(bot.permissions),
  };
  await insertRole(tx, guildId, role);
  await insertMemberRoles(tx, guildId, bot.id, [role.id]);
  return role;
}

function roleAssigned(
  bot: NewBot,
  { id, name }: Role,
  by: Pick<AuditEntry, 'guild_id' | 'user_id' | 'reason'>,
): AuditEntry {
  const changes = [{ key: '$add', new_value: [{ id, name }] }];
  return { ...by, action_type: AuditAction.MEMBER_ROLE_UPDATE, target_id: bot.id, changes };
}
