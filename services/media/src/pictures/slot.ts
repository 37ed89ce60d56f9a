import { PictureSlot } from '@gatehouse/proto/media';
import type { Slot } from '../store/kept-pictures.ts';

const SLOTS: ReadonlyMap<PictureSlot, Slot> = new Map([
  [PictureSlot.PICTURE_SLOT_AVATAR, 'avatar'],
  [PictureSlot.PICTURE_SLOT_BANNER, 'banner'],
  [PictureSlot.PICTURE_SLOT_ICON, 'icon'],
]);

/** The slot's name in the database; undefined for an unknown slot. */
export function slotOf(slot: PictureSlot): Slot | undefined {
  return SLOTS.get(slot);
}
