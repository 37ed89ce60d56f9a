/** Why connections close (docs/gateway.md#close-codes). */
const CODES: Readonly<Record<string, string>> = {
  '1000': 'closed by the client',
  '1001': 'the client went away',
  '1006': 'cut off without a close frame',
  '4000': 'unknown error',
  '4001': 'unknown opcode',
  '4002': 'decode error',
  '4003': 'not authenticated',
  '4004': 'authentication failed',
  '4005': 'already authenticated',
  '4007': 'invalid sequence',
  '4008': 'rate limited',
  '4009': 'session timed out',
  '4012': 'invalid version',
};

/** A close code with its meaning. */
export function closeCodeText(code: string): string {
  const text = CODES[code];
  return text === undefined ? code : `${code} ${text}`;
}
