/** Maximum bytes of a picture in one answer, so that the answer fits a frame of the call stream. */
export const PART_BYTES = 63 * 1024;
