/** The permission bits (docs/guilds.md#permissions). On the wire and in the database they are decimal numbers. */
export const Permission = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  KICK_MEMBERS: 1n << 1n,
  BAN_MEMBERS: 1n << 2n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_AUDIT_LOG: 1n << 7n,
  PRIORITY_SPEAKER: 1n << 8n,
  STREAM: 1n << 9n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  SEND_TTS_MESSAGES: 1n << 12n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_EXTERNAL_EMOJIS: 1n << 18n,
  CONNECT: 1n << 20n,
  SPEAK: 1n << 21n,
  MUTE_MEMBERS: 1n << 22n,
  DEAFEN_MEMBERS: 1n << 23n,
  MOVE_MEMBERS: 1n << 24n,
  USE_VAD: 1n << 25n,
  CHANGE_NICKNAME: 1n << 26n,
  MANAGE_NICKNAMES: 1n << 27n,
  MANAGE_ROLES: 1n << 28n,
  MANAGE_WEBHOOKS: 1n << 29n,
  MANAGE_EXPRESSIONS: 1n << 30n,
  USE_EXTERNAL_STICKERS: 1n << 37n,
  MODERATE_MEMBERS: 1n << 40n,
  CREATE_EXPRESSIONS: 1n << 43n,
  PIN_MESSAGES: 1n << 51n,
  BYPASS_SLOWMODE: 1n << 52n,
  UPDATE_RTC_REGION: 1n << 53n,
  VIEW_CHANNEL_MEMBERS: 1n << 54n,
} as const;

/** All bits together: 33787032395841535. */
export const ALL_PERMISSIONS = Object.values(Permission).reduce((all, bit) => all | bit, 0n);

/** The permissions of a new guild's @everyone role. */
export const DEFAULT_EVERYONE_PERMISSIONS =
  Permission.CREATE_INSTANT_INVITE |
  Permission.ADD_REACTIONS |
  Permission.STREAM |
  Permission.VIEW_CHANNEL |
  Permission.SEND_MESSAGES |
  Permission.EMBED_LINKS |
  Permission.ATTACH_FILES |
  Permission.READ_MESSAGE_HISTORY |
  Permission.USE_EXTERNAL_EMOJIS |
  Permission.CONNECT |
  Permission.SPEAK |
  Permission.USE_VAD |
  Permission.CHANGE_NICKNAME |
  Permission.USE_EXTERNAL_STICKERS |
  Permission.VIEW_CHANNEL_MEMBERS;

/** The permissions of all recipients of a private channel. */
export const PRIVATE_PERMISSIONS =
  Permission.ADD_REACTIONS |
  Permission.VIEW_CHANNEL |
  Permission.SEND_MESSAGES |
  Permission.EMBED_LINKS |
  Permission.ATTACH_FILES |
  Permission.READ_MESSAGE_HISTORY |
  Permission.USE_EXTERNAL_EMOJIS |
  Permission.CONNECT |
  Permission.SPEAK |
  Permission.STREAM |
  Permission.USE_VAD;

/** An account's membership in a guild. */
export interface Membership {
  readonly guild_id: string;
  readonly owner_id: string;
  readonly account_id: string;
  readonly is_member: boolean;
  /** The account's roles, including @everyone, whose ID is the guild's. */
  readonly roles: readonly HeldRole[];
}

export interface HeldRole {
  readonly id: string;
  readonly position: number;
  /** A decimal number. */
  readonly permissions: string;
}

export interface Overwrite {
  readonly id: string;
  /** 0 role, 1 member. */
  readonly type: number;
  readonly allow: string;
  readonly deny: string;
}

/** The permissions of an account in a guild. */
export function guildPermissions(membership: Membership): bigint {
  const { is_member, owner_id, account_id } = membership;
  if (!is_member) return 0n;
  if (owner_id === account_id) return ALL_PERMISSIONS;
  const base = roleBits(membership).toBigInt();
  return (base & Permission.ADMINISTRATOR) === 0n ? base : ALL_PERMISSIONS;
}

/**
 * The permissions of an account in a channel: the guild's, changed by the @everyone overwrite, then by those of the
 * account's roles (all denies, then all allows), then by its own. Every message needs them, so this is a single pass
 * that does not index the roles (`npm run bench -- chat`).
 */
export function channelPermissions(membership: Membership, overwrites: readonly Overwrite[]): bigint {
  const { guild_id, owner_id, account_id, is_member, roles } = membership;
  if (!is_member) return 0n;
  if (owner_id === account_id) return ALL_PERMISSIONS;
  const bits = roleBits(membership);
  if (bits.hasAdministrator()) return ALL_PERMISSIONS;
  const everyone = { deny: new PermissionBits(), allow: new PermissionBits() };
  const held = { deny: new PermissionBits(), allow: new PermissionBits() };
  const own = { deny: new PermissionBits(), allow: new PermissionBits() };
  for (const { id, type, allow, deny } of overwrites) {
    const step = type === 1 ? own : id === guild_id ? everyone : held;
    if (step === own && id !== account_id) continue;
    if (step === held && !roles.some((role) => role.id === id)) continue;
    step.deny.add(deny);
    step.allow.add(allow);
  }
  for (const { deny, allow } of [everyone, held, own]) bits.change(deny, allow);
  // ADMINISTRATOR in an overwrite has no effect. Administrators of the guild have returned above.
  return bits.toBigInt() & ~Permission.ADMINISTRATOR;
}

function roleBits({ roles }: Membership): PermissionBits {
  const bits = new PermissionBits();
  for (const { permissions } of roles) bits.add(permissions);
  return bits;
}

/** Whether all bits of `wanted` are set. */
export function holds(permissions: bigint, wanted: bigint): boolean {
  return (permissions & wanted) === wanted;
}

const LOW_BITS = 27;
const LOW_MASK = 2 ** LOW_BITS - 1;
const ZERO = 48;

/** A set of permissions as two integers: bigints take longer to read and to combine. */
class PermissionBits {
  #low = 0;
  #high = 0;

  /** Adds the permissions of a decimal number, which is not negative and is not checked. */
  add(text: string): void {
    let low = 0;
    let high = 0;
    for (let i = 0; i < text.length; i++) {
      low = low * 10 + text.charCodeAt(i) - ZERO;
      high = high * 10 + (low >> LOW_BITS);
      low &= LOW_MASK;
    }
    this.#low |= low;
    this.#high |= high;
  }

  /** Removes the denied permissions, then adds the allowed ones. */
  change(deny: PermissionBits, allow: PermissionBits): void {
    this.#low = (this.#low & ~deny.#low) | allow.#low;
    this.#high = (this.#high & ~deny.#high) | allow.#high;
  }

  hasAdministrator(): boolean {
    return (this.#low & Number(Permission.ADMINISTRATOR)) !== 0;
  }

  /** Without bits that are no permission. */
  toBigInt(): bigint {
    return ((BigInt(this.#high >>> 0) << BigInt(LOW_BITS)) | BigInt(this.#low)) & ALL_PERMISSIONS;
  }
}
