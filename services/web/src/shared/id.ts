/** Whether the API reads a text as an ID: a whole number of 63 bits, in decimal. */
export function isId(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) < 1n << 63n;
}
