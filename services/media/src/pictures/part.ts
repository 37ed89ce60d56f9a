/** Most bytes of a picture in one answer: with what is around them they are one frame of the call stream. */
export const PART_BYTES = 63 * 1024;
