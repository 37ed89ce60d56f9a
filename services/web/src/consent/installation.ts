import { maskOf, type Permission, permissionsIn, readPermissions } from '../shared/permissions.ts';
import { type ListedGuild, permissionsOf } from './guilds.ts';
import type { Asked, InstallTarget } from './load.ts';
import { type ConsentRequest, type Installation, isForBotAlone } from './request.ts';

/** The choices of the user so far. */
export interface Choice {
  /** Empty if none is chosen yet. */
  readonly guild_id: string;
  /** The requested permissions that the user has unticked. */
  readonly without: bigint;
}

/** The guild in the request, if the user may choose it. */
export function firstChoice({ given: { guild_id } }: ConsentRequest, { place }: Asked): Choice {
  const named = place?.kind === 'guild' && place.guilds.find(({ id }) => id === guild_id);
  return { guild_id: named ? named.id : '', without: 0n };
}

/** Whether the guild of the request is the only choice. */
export function isLocked({ given: { guild_id, disable_guild_select } }: ConsentRequest): boolean {
  return guild_id !== undefined && disable_guild_select === 'true';
}

/** A requested permission. */
export interface Offer {
  readonly permission: Permission;
  /** Whether the user has it. Nobody can give a permission that they do not have. */
  readonly isPossible: boolean;
  readonly isTicked: boolean;
}

export function offers(
  { given: { permissions = '0' } }: ConsentRequest,
  guild: ListedGuild | undefined,
  account_id: string,
  without: bigint,
): Offer[] {
  const asked = readPermissions(permissions) ?? 0n;
  const held = guild === undefined ? asked : permissionsOf(guild, account_id);
  return permissionsIn(asked).map((permission) => {
    const isPossible = (held & permission.mask) !== 0n;
    return { permission, isPossible, isTicked: isPossible && (without & permission.mask) === 0n };
  });
}

export function chosenGuild(place: InstallTarget | undefined, choice: Choice): ListedGuild | undefined {
  return place?.kind === 'guild' ? place.guilds.find(({ id }) => id === choice.guild_id) : undefined;
}

/** Whether the consent can be given. It cannot if it needs a guild and there is none. */
export function canAllow(request: ConsentRequest, { place }: Asked): boolean {
  if (place?.kind !== 'guild') return true;
  if (isLocked(request)) return place.guilds.some(({ id }) => id === request.given.guild_id);
  return place.guilds.length > 0 || !isForBotAlone(request);
}

/** The installation to send. Undefined if a guild must be chosen first. */
export function installationOf(
  request: ConsentRequest,
  { place, account_id }: Asked,
  choice: Choice,
): Installation | undefined {
  if (place === undefined) return {};
  if (place.kind === 'group') return { channel_id: place.channel_id };
  const guild = chosenGuild(place, choice);
  if (guild === undefined) return isForBotAlone(request) ? undefined : {};
  const given = offers(request, guild, account_id, choice.without).filter(({ isTicked }) => isTicked);
  return { guild_id: guild.id, permissions: maskOf(given.map(({ permission }) => permission)) };
}
