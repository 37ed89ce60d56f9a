import { isSnowflake } from '@gatehouse/kit/snowflake';

/** The guild ID of an owner's own pictures. No guild has this ID. */
export const NO_GUILD = '0';

/** Whether these can be the IDs of a picture's owner and guild. Without a guild it is the owner's own picture. */
export function isPictureOwner(ownerId: string, guildId: string | null | undefined): boolean {
  return isSnowflake(ownerId) && (guildId == null || (isSnowflake(guildId) && guildId !== NO_GUILD));
}
