import { PictureSlot } from '@gatehouse/proto/media';

/** The slots of pictures: the name that services store, and media's value. */
export const SLOTS = {
  avatar: PictureSlot.PICTURE_SLOT_AVATAR,
  banner: PictureSlot.PICTURE_SLOT_BANNER,
  icon: PictureSlot.PICTURE_SLOT_ICON,
} as const;
