import { maskOf, type Permission, permissionsIn, readPermissions } from '../shared/permissions.ts';
import { type ListedGuild, permissionsOf } from './guilds.ts';
import type { InstallTarget, LoadedConsent } from './load-consent.ts';
import { type ConsentRequest, type Installation, isForBotAlone } from './request.ts';

/** The choices of the user so far. */
export interface Choice {
  /** Empty if none is chosen yet. */
  readonly guild_id: string;
  /** The requested permissions that the user has cleared. */
  readonly declined: bigint;
}

/** The initial choice: the guild of the request, if the user may choose it. */
export function firstChoice({ parameters: { guild_id } }: ConsentRequest, { target }: LoadedConsent): Choice {
  const named = target?.kind === 'guild' && target.guilds.find(({ id }) => id === guild_id);
  return { guild_id: named ? named.id : '', declined: 0n };
}

/** Whether the guild of the request is the only choice. */
export function isLocked({ parameters: { guild_id, disable_guild_select } }: ConsentRequest): boolean {
  return guild_id !== undefined && disable_guild_select === 'true';
}

/** A requested permission. */
export interface OfferedPermission {
  readonly permission: Permission;
  /** Whether the user has it: users can only give permissions that they have. */
  readonly isHeld: boolean;
  readonly isChecked: boolean;
}

export function offeredPermissions(
  { parameters: { permissions = '0' } }: ConsentRequest,
  guild: ListedGuild | undefined,
  account_id: string,
  declined: bigint,
): OfferedPermission[] {
  const requested = readPermissions(permissions) ?? 0n;
  const held = guild === undefined ? requested : permissionsOf(guild, account_id);
  return permissionsIn(requested).map((permission) => {
    const isHeld = (held & permission.mask) !== 0n;
    return { permission, isHeld, isChecked: isHeld && (declined & permission.mask) === 0n };
  });
}

export function chosenGuild(target: InstallTarget | undefined, choice: Choice): ListedGuild | undefined {
  return target?.kind === 'guild' ? target.guilds.find(({ id }) => id === choice.guild_id) : undefined;
}

/** Whether the user can consent: not if a guild is required and none can be chosen. */
export function canAllow(request: ConsentRequest, { target }: LoadedConsent): boolean {
  if (target?.kind !== 'guild') return true;
  if (isLocked(request)) return target.guilds.some(({ id }) => id === request.parameters.guild_id);
  return target.guilds.length > 0 || !isForBotAlone(request);
}

/** The installation to send. Undefined if a guild must be chosen first. */
export function installationOf(
  request: ConsentRequest,
  { target, account_id }: LoadedConsent,
  choice: Choice,
): Installation | undefined {
  if (target === undefined) return {};
  if (target.kind === 'group') return { channel_id: target.channel_id };
  const guild = chosenGuild(target, choice);
  if (guild === undefined) return isForBotAlone(request) ? undefined : {};
  const checked = offeredPermissions(request, guild, account_id, choice.declined).filter(
    (offer) => offer.isChecked,
  );
  return { guild_id: guild.id, permissions: maskOf(checked.map(({ permission }) => permission)) };
}
