import { isSnowflake } from '@gatehouse/kit/snowflake';

/** The guild ID of an owner's own pictures, which no guild has. */
export const NO_GUILD = '0';

/** Whether an owner can have pictures of its own, or in this guild. */
export function isPictureOwner(ownerId: string, guildId: string | null | undefined): boolean {
  return isSnowflake(ownerId) && (guildId == null || (isSnowflake(guildId) && guildId !== NO_GUILD));
}
