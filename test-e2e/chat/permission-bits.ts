/** Bit positions of the permissions in these tests (docs/guilds.md#permissions). */
const BIT = {
  CREATE_INSTANT_INVITE: 0n,
  KICK_MEMBERS: 1n,
  BAN_MEMBERS: 2n,
  ADMINISTRATOR: 3n,
  MANAGE_CHANNELS: 4n,
  MANAGE_GUILD: 5n,
  VIEW_AUDIT_LOG: 7n,
  VIEW_CHANNEL: 10n,
  SEND_MESSAGES: 11n,
  MANAGE_MESSAGES: 13n,
  READ_MESSAGE_HISTORY: 16n,
  MENTION_EVERYONE: 17n,
  CHANGE_NICKNAME: 26n,
  MANAGE_ROLES: 28n,
  MANAGE_WEBHOOKS: 29n,
  BYPASS_SLOWMODE: 52n,
} as const;

export type Permission = keyof typeof BIT;

export const ALL = 33787032395841535n;
export const DEFAULT = bitsOf([0, 6, 9, 10, 11, 14, 15, 16, 18, 20, 21, 25, 26, 37, 54].map(BigInt));

/** The permissions as a decimal string, the form that the API uses. */
export function bits(...names: Permission[]): string {
  return String(bitsOf(names.map((name) => BIT[name])));
}

/** Every permission except these and ADMINISTRATOR. */
export function allBut(...names: Permission[]): string {
  return String(ALL & ~BigInt(bits('ADMINISTRATOR', ...names)));
}

function bitsOf(positions: bigint[]): bigint {
  return positions.reduce((sum, position) => sum | (1n << position), 0n);
}
