import { i18n } from './i18n/i18n.ts';

/** A permission that a role can give in a guild. */
export interface Permission {
  /** Its name in the API. */
  readonly name: string;
  readonly mask: bigint;
  readonly description: string;
}

const PERMISSION_ROWS: readonly (readonly [bit: number, name: string, description: () => string])[] = [
  [3, 'ADMINISTRATOR', () => i18n._('Administrator: everything, in every channel')],
  [5, 'MANAGE_GUILD', () => i18n._('Manage the guild and add bots')],
  [28, 'MANAGE_ROLES', () => i18n._('Manage roles')],
  [4, 'MANAGE_CHANNELS', () => i18n._('Manage channels')],
  [29, 'MANAGE_WEBHOOKS', () => i18n._('Manage webhooks')],
  [7, 'VIEW_AUDIT_LOG', () => i18n._('See the audit log')],
  [1, 'KICK_MEMBERS', () => i18n._('Remove members')],
  [2, 'BAN_MEMBERS', () => i18n._('Ban members')],
  [40, 'MODERATE_MEMBERS', () => i18n._('Silence members for a while')],
  [27, 'MANAGE_NICKNAMES', () => i18n._('Change nicknames of others')],
  [26, 'CHANGE_NICKNAME', () => i18n._('Change its own nickname')],
  [0, 'CREATE_INSTANT_INVITE', () => i18n._('Invite people')],
  [54, 'VIEW_CHANNEL_MEMBERS', () => i18n._('See who is in a channel')],
  [10, 'VIEW_CHANNEL', () => i18n._('See channels')],
  [16, 'READ_MESSAGE_HISTORY', () => i18n._('Read older messages')],
  [11, 'SEND_MESSAGES', () => i18n._('Send messages')],
  [12, 'SEND_TTS_MESSAGES', () => i18n._('Send messages that are read aloud')],
  [13, 'MANAGE_MESSAGES', () => i18n._('Delete messages of others')],
  [51, 'PIN_MESSAGES', () => i18n._('Pin messages')],
  [52, 'BYPASS_SLOWMODE', () => i18n._('Send without waiting in slow mode')],
  [14, 'EMBED_LINKS', () => i18n._('Show previews of links')],
  [15, 'ATTACH_FILES', () => i18n._('Attach files')],
  [6, 'ADD_REACTIONS', () => i18n._('React to messages')],
  [17, 'MENTION_EVERYONE', () => i18n._('Notify everyone')],
  [18, 'USE_EXTERNAL_EMOJIS', () => i18n._('Use emoji of other guilds')],
  [37, 'USE_EXTERNAL_STICKERS', () => i18n._('Use stickers of other guilds')],
  [43, 'CREATE_EXPRESSIONS', () => i18n._('Add emoji and stickers')],
  [30, 'MANAGE_EXPRESSIONS', () => i18n._('Manage emoji and stickers')],
  [20, 'CONNECT', () => i18n._('Join voice channels')],
  [21, 'SPEAK', () => i18n._('Speak in voice channels')],
  [9, 'STREAM', () => i18n._('Show video and its screen')],
  [25, 'USE_VAD', () => i18n._('Speak without pressing a key')],
  [8, 'PRIORITY_SPEAKER', () => i18n._('Be heard above others')],
  [22, 'MUTE_MEMBERS', () => i18n._('Mute members in voice channels')],
  [23, 'DEAFEN_MEMBERS', () => i18n._('Deafen members in voice channels')],
  [24, 'MOVE_MEMBERS', () => i18n._('Move members between voice channels')],
  [53, 'UPDATE_RTC_REGION', () => i18n._('Choose the region of voice channels')],
];

/** All permissions, the most powerful of each group first. */
export const PERMISSIONS: readonly Permission[] = PERMISSION_ROWS.map(([bit, name, description]) => ({
  name,
  mask: 1n << BigInt(bit),
  get description() {
    return description();
  },
}));

export const ADMINISTRATOR = 1n << 3n;
export const MANAGE_GUILD = 1n << 5n;
export const KICK_MEMBERS = 1n << 1n;
export const VIEW_AUDIT_LOG = 1n << 7n;
export const MANAGE_ROLES = 1n << 28n;
export const MANAGE_WEBHOOKS = 1n << 29n;
export const ALL_PERMISSIONS = maskOf(PERMISSIONS);

/** The permissions of a decimal number. Unknown bits are ignored. Undefined if it is not a decimal number. */
export function readPermissions(text: string): bigint | undefined {
  return /^\d+$/.test(text) ? BigInt(text) & ALL_PERMISSIONS : undefined;
}

export function permissionsIn(mask: bigint): readonly Permission[] {
  return PERMISSIONS.filter((permission) => (mask & permission.mask) !== 0n);
}

export function maskOf(permissions: readonly Pick<Permission, 'mask'>[]): bigint {
  return permissions.reduce((mask, permission) => mask | permission.mask, 0n);
}
