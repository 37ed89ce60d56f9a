/** Maximum length of bodies that may contain pictures (docs/conventions.md#pictures). */
export const PICTURES_BODY_BYTES = 14.5 * 1024 * 1024;
