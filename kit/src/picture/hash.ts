/** Whether a text could be a picture's hash: 32 hex digits, behind "a_" when it is animated. */
export function isPictureHash(text: string): boolean {
  return /^(?:a_)?[0-9a-f]{32}$/.test(text);
}
