/** A permission that a role can give in a guild. */
export interface Permission {
  /** Its name in the API. */
  readonly name: string;
  readonly mask: bigint;
  readonly description: string;
}

const PERMISSION_ROWS: readonly (readonly [bit: number, name: string, description: string])[] = [
  [3, 'ADMINISTRATOR', 'Administrator: everything, in every channel'],
  [5, 'MANAGE_GUILD', 'Manage the guild and add bots'],
  [28, 'MANAGE_ROLES', 'Manage roles'],
  [4, 'MANAGE_CHANNELS', 'Manage channels'],
  [29, 'MANAGE_WEBHOOKS', 'Manage webhooks'],
  [7, 'VIEW_AUDIT_LOG', 'See the audit log'],
  [1, 'KICK_MEMBERS', 'Remove members'],
  [2, 'BAN_MEMBERS', 'Ban members'],
  [40, 'MODERATE_MEMBERS', 'Silence members for a while'],
  [27, 'MANAGE_NICKNAMES', 'Change nicknames of others'],
  [26, 'CHANGE_NICKNAME', 'Change its own nickname'],
  [0, 'CREATE_INSTANT_INVITE', 'Invite people'],
  [54, 'VIEW_CHANNEL_MEMBERS', 'See who is in a channel'],
  [10, 'VIEW_CHANNEL', 'See channels'],
  [16, 'READ_MESSAGE_HISTORY', 'Read older messages'],
  [11, 'SEND_MESSAGES', 'Send messages'],
  [12, 'SEND_TTS_MESSAGES', 'Send messages that are read aloud'],
  [13, 'MANAGE_MESSAGES', 'Delete messages of others'],
  [51, 'PIN_MESSAGES', 'Pin messages'],
  [52, 'BYPASS_SLOWMODE', 'Send without waiting in slow mode'],
  [14, 'EMBED_LINKS', 'Show previews of links'],
  [15, 'ATTACH_FILES', 'Attach files'],
  [6, 'ADD_REACTIONS', 'React to messages'],
  [17, 'MENTION_EVERYONE', 'Notify everyone'],
  [18, 'USE_EXTERNAL_EMOJIS', 'Use emoji of other guilds'],
  [37, 'USE_EXTERNAL_STICKERS', 'Use stickers of other guilds'],
  [43, 'CREATE_EXPRESSIONS', 'Add emoji and stickers'],
  [30, 'MANAGE_EXPRESSIONS', 'Manage emoji and stickers'],
  [20, 'CONNECT', 'Join voice channels'],
  [21, 'SPEAK', 'Speak in voice channels'],
  [9, 'STREAM', 'Show video and its screen'],
  [25, 'USE_VAD', 'Speak without pressing a key'],
  [8, 'PRIORITY_SPEAKER', 'Be heard above others'],
  [22, 'MUTE_MEMBERS', 'Mute members in voice channels'],
  [23, 'DEAFEN_MEMBERS', 'Deafen members in voice channels'],
  [24, 'MOVE_MEMBERS', 'Move members between voice channels'],
  [53, 'UPDATE_RTC_REGION', 'Choose the region of voice channels'],
];

/** All permissions, the most powerful of each group first. */
export const PERMISSIONS: readonly Permission[] = PERMISSION_ROWS.map(([bit, name, description]) => ({
  name,
  mask: 1n << BigInt(bit),
  description,
}));

export const ADMINISTRATOR = 1n << 3n;
export const MANAGE_GUILD = 1n << 5n;
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
