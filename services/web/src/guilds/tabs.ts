import { i18n } from '../shared/i18n/i18n.ts';
import {
  ADMINISTRATOR,
  ALL_PERMISSIONS,
  KICK_MEMBERS,
  MANAGE_GUILD,
  MANAGE_ROLES,
  MANAGE_WEBHOOKS,
  readPermissions,
  VIEW_AUDIT_LOG,
} from '../shared/permissions.ts';
import type { ManagedGuild } from './managed-guild.ts';

/** The tabs of a guild in their order, each with the permissions of which one is enough to see it. */
const NEEDED = {
  webhooks: MANAGE_WEBHOOKS,
  bots: MANAGE_GUILD,
  members: MANAGE_ROLES | KICK_MEMBERS,
  'audit-log': VIEW_AUDIT_LOG,
} as const;

export type Tab = keyof typeof NEEDED;

export const TABS = Object.keys(NEEDED) as readonly Tab[];

export function isTab(text: string): text is Tab {
  return Object.hasOwn(NEEDED, text);
}

export function tabLabel(tab: Tab): string {
  switch (tab) {
    case 'webhooks':
      return i18n._('Webhooks');
    case 'bots':
      return i18n._('Bots');
    case 'members':
      return i18n._('Members and roles');
    case 'audit-log':
      return i18n._('Audit log');
  }
}

/** The permissions that an account has in a guild. Owners and administrators have all. */
export function permissionsIn(
  guild: Pick<ManagedGuild, 'owner_id' | 'permissions'>,
  account_id: string,
): bigint {
  if (guild.owner_id === account_id) return ALL_PERMISSIONS;
  const permissions = readPermissions(guild.permissions) ?? 0n;
  return (permissions & ADMINISTRATOR) === 0n ? permissions : ALL_PERMISSIONS;
}

/** The tabs of what an account may manage. Empty if it may manage nothing. */
export function tabsFor(permissions: bigint): readonly Tab[] {
  return TABS.filter((tab) => (permissions & NEEDED[tab]) !== 0n);
}
