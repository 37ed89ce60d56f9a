import { isSnowflake } from '@gatehouse/kit/snowflake';

/** The guild ID of an owner's own pictures. No guild has it. */
export const OWN = '0';

/** Whether the IDs can be an owner and a guild of its pictures. */
export function isPlace(ownerId: string, guildId: string | null | undefined): boolean {
  return isSnowflake(ownerId) && (guildId == null || (isSnowflake(guildId) && guildId !== OWN));
}
