import { PictureSlot } from '@gatehouse/proto/media';

/** The pictures that an account has, as media names them. */
export const SLOTS = {
  avatar: PictureSlot.PICTURE_SLOT_AVATAR,
  banner: PictureSlot.PICTURE_SLOT_BANNER,
} as const;
