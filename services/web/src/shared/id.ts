/** Whether the API accepts a text as an ID: a decimal integer of 63 bits. */
export function isId(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) < 1n << 63n;
}
