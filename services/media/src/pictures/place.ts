import { isSnowflake } from '@gatehouse/kit/snowflake';

/** In place of a guild: the picture is the owner's own. No guild has this ID. */
export const OWN = '0';

/** Whether an owner has pictures there: its own, or those of a guild. */
export function isPlace(ownerId: string, guildId: string | null | undefined): boolean {
  return isSnowflake(ownerId) && (guildId == null || (isSnowflake(guildId) && guildId !== OWN));
}
