import { i18n } from '../../shared/i18n/i18n.ts';
import { PERMISSIONS, type Permission } from '../../shared/permissions.ts';

const NAMES = {
  guild: [
    ...['ADMINISTRATOR', 'MANAGE_GUILD', 'MANAGE_ROLES', 'MANAGE_CHANNELS', 'MANAGE_WEBHOOKS'],
    ...['VIEW_AUDIT_LOG', 'CREATE_EXPRESSIONS', 'MANAGE_EXPRESSIONS'],
  ],
  members: [
    ...['KICK_MEMBERS', 'BAN_MEMBERS', 'MODERATE_MEMBERS', 'MANAGE_NICKNAMES', 'CHANGE_NICKNAME'],
    ...['CREATE_INSTANT_INVITE', 'VIEW_CHANNEL_MEMBERS'],
  ],
  messages: [
    ...['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'SEND_MESSAGES', 'SEND_TTS_MESSAGES', 'MANAGE_MESSAGES'],
    ...['PIN_MESSAGES', 'BYPASS_SLOWMODE', 'EMBED_LINKS', 'ATTACH_FILES', 'ADD_REACTIONS'],
    ...['MENTION_EVERYONE', 'USE_EXTERNAL_EMOJIS', 'USE_EXTERNAL_STICKERS'],
  ],
  voice: [
    ...['CONNECT', 'SPEAK', 'STREAM', 'USE_VAD', 'PRIORITY_SPEAKER', 'MUTE_MEMBERS', 'DEAFEN_MEMBERS'],
    ...['MOVE_MEMBERS', 'UPDATE_RTC_REGION'],
  ],
};

/** All permissions, grouped by subject. */
export const PERMISSION_GROUPS: readonly {
  readonly title: string;
  readonly permissions: readonly Permission[];
}[] = Object.entries(NAMES).map(([group, names]) => ({
  get title() {
    return titleOf(group as keyof typeof NAMES);
  },
  permissions: PERMISSIONS.filter(({ name }) => names.includes(name)),
}));

function titleOf(group: keyof typeof NAMES): string {
  switch (group) {
    case 'guild':
      return i18n._('The guild');
    case 'members':
      return i18n._('Members');
    case 'messages':
      return i18n._('Messages');
    case 'voice':
      return i18n._('Voice');
  }
}
