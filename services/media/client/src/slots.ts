import { PictureSlot } from '@gatehouse/proto/media';

/** What a picture is to its owner, as services store it and as media names it. */
export const SLOTS = {
  avatar: PictureSlot.PICTURE_SLOT_AVATAR,
  banner: PictureSlot.PICTURE_SLOT_BANNER,
  icon: PictureSlot.PICTURE_SLOT_ICON,
} as const;
