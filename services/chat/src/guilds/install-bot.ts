import type { PoolClient } from 'pg';
import { AuditAction, type AuditEntry, changesBetween } from '../audit-log/entry.ts';
import type { Deps } from '../deps.ts';
import { badRequest, botAlreadyInGuild } from '../errors.ts';
import { type Event, guildCreated, memberAdded, roleCreated } from '../events/event.ts';
import { requireMember } from '../members/require-member.ts';
import { insertAuditEntry } from '../store/audit-log.ts';
import { insertTopRole } from '../store/bot-installation.ts';
import { insertEvents } from '../store/events.ts';
import { insertMemberRoles } from '../store/member-roles.ts';
import { insertMember } from '../store/memberships.ts';
import { requirePermission } from './access.ts';
import { changeGuild } from './change-guild.ts';
import { guildPermissions, Permission } from './permissions.ts';

/** #99AAB5. */
const BOT_ROLE_COLOR = 0x99aab5;
const MAX_ROLES = 250;

export interface Bot {
  readonly id: string;
  readonly role_name: string;
  /** 0n: no role. */
  readonly permissions: bigint;
  /** For the audit log. */
  readonly reason: string | null;
}

/**
 * Lets a bot into a guild, with a role of its own for its permissions (docs/oauth2.md#bot-installation). Gives the
 * role's ID.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS, BOT_ALREADY_IN_GUILD, BAD_REQUEST; then nothing is changed
 */
export function installInGuild(
  deps: Deps,
  guild_id: string,
  user_id: string,
  bot: Bot,
): Promise<string | undefined> {
  const { reason } = bot;
  return changeGuild(deps, guild_id, user_id, async (tx, actor) => {
    const held = guildPermissions(actor);
    requirePermission(held, Permission.MANAGE_GUILD | bot.permissions);
    if (!(await insertMember(tx, guild_id, bot.id, user_id))) throw botAlreadyInGuild();
    const events: Event[] = [];
    const entries: Omit<AuditEntry, 'guild_id' | 'user_id' | 'reason'>[] = [
      { action_type: AuditAction.BOT_ADD, target_id: bot.id },
    ];
    const role = bot.permissions === 0n ? undefined : await giveRole(tx, deps.ids(), guild_id, bot);
    if (role !== undefined) {
      events.push(roleCreated(guild_id, role));
      entries.push(
        {
          action_type: AuditAction.ROLE_CREATE,
          target_id: role.id,
          changes: changesBetween(undefined, role, [
            'name',
            'color',
            'position',
            'hoist',
            'mentionable',
            'permissions',
          ]),
        },
        {
          action_type: AuditAction.MEMBER_ROLE_UPDATE,
          target_id: bot.id,
          changes: [{ key: '$add', new_value: [{ id: role.id, name: role.name }] }],
        },
      );
    }
    const member = await requireMember(tx, guild_id, bot.id);
    events.push(memberAdded(guild_id, member), guildCreated(guild_id, bot.id));
    for (const entry of entries)
      await insertAuditEntry(tx, deps.ids(), { ...entry, guild_id, user_id, reason });
    await insertEvents(tx, events);
    return role?.id;
  });
}

async function giveRole(tx: PoolClient, id: string, guildId: string, bot: Bot) {
  const wanted = { id, name: bot.role_name, color: BOT_ROLE_COLOR, permissions: String(bot.permissions) };
  const role = await insertTopRole(tx, guildId, wanted, MAX_ROLES);
  if (role === undefined) throw badRequest(`The guild has ${MAX_ROLES} roles, which is the most.`);
  await insertMemberRoles(tx, guildId, bot.id, [role.id]);
  return role;
}
