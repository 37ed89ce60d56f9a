/** Of bodies in which pictures may come (docs/conventions.md#pictures). */
export const PICTURES_BODY_BYTES = 14.5 * 1024 * 1024;
