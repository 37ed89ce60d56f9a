/** The kinds of entries of a guild's audit log (docs/guilds.md#audit-log). */
const ACTIONS: Readonly<Record<number, string>> = {
  1: 'guild changed',
  10: 'channel created',
  11: 'channel changed',
  12: 'channel deleted',
  13: 'channel permissions added',
  14: 'channel permissions changed',
  15: 'channel permissions removed',
  20: 'member removed',
  24: 'nickname changed',
  25: 'roles of a member changed',
  28: 'bot added',
  30: 'role created',
  31: 'role changed',
  32: 'role deleted',
  40: 'invite created',
  41: 'invite changed',
  42: 'invite deleted',
  50: 'webhook created',
  51: 'webhook changed',
  52: 'webhook deleted',
};

/** What happened, in words. */
export function auditActionText(action_type: number): string {
  return ACTIONS[action_type] ?? `kind ${action_type}`;
}
