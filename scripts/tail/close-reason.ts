/** What ended a connection, in words. `failure`: what the client noticed itself. */
export function closeReason(code: number, failure: string | undefined): string {
  if (code === 1006) return failure ?? 'it broke';
  const meaning = MEANINGS.get(code);
  return meaning === undefined ? `close code ${code}` : `${meaning} (${code})`;
}

/** docs/gateway.md#close-codes */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [1000, 'the server closed it'],
  [1001, 'the server stops'],
  [4000, 'unknown error'],
  [4001, 'unknown opcode'],
  [4002, 'decode error'],
  [4003, 'not authenticated'],
  [4004, 'authentication failed'],
  [4005, 'already authenticated'],
  [4007, 'invalid sequence'],
  [4008, 'rate limited'],
  [4009, 'session timed out'],
  [4012, 'invalid version'],
]);
