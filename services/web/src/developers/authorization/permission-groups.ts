import { PERMISSIONS, type Permission } from '../../shared/permissions.ts';

const NAMES = {
  'The guild': [
    ...['ADMINISTRATOR', 'MANAGE_GUILD', 'MANAGE_ROLES', 'MANAGE_CHANNELS', 'MANAGE_WEBHOOKS'],
    ...['VIEW_AUDIT_LOG', 'CREATE_EXPRESSIONS', 'MANAGE_EXPRESSIONS'],
  ],
  Members: [
    ...['KICK_MEMBERS', 'BAN_MEMBERS', 'MODERATE_MEMBERS', 'MANAGE_NICKNAMES', 'CHANGE_NICKNAME'],
    ...['CREATE_INSTANT_INVITE', 'VIEW_CHANNEL_MEMBERS'],
  ],
  Messages: [
    ...['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'SEND_MESSAGES', 'SEND_TTS_MESSAGES', 'MANAGE_MESSAGES'],
    ...['PIN_MESSAGES', 'BYPASS_SLOWMODE', 'EMBED_LINKS', 'ATTACH_FILES', 'ADD_REACTIONS'],
    ...['MENTION_EVERYONE', 'USE_EXTERNAL_EMOJIS', 'USE_EXTERNAL_STICKERS'],
  ],
  Voice: [
    ...['CONNECT', 'SPEAK', 'STREAM', 'USE_VAD', 'PRIORITY_SPEAKER', 'MUTE_MEMBERS', 'DEAFEN_MEMBERS'],
    ...['MOVE_MEMBERS', 'UPDATE_RTC_REGION'],
  ],
};

/** All permissions, grouped by subject. */
export const PERMISSION_GROUPS: readonly {
  readonly title: string;
  readonly permissions: readonly Permission[];
}[] = Object.entries(NAMES).map(([title, names]) => ({
  title,
  permissions: PERMISSIONS.filter(({ name }) => names.includes(name)),
}));
