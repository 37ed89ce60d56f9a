/** The connection ended without a Close frame. */
const ABNORMAL = 1006;

/** The reason for people. The WebSocket API hides why a connection was not opened. */
export function closeReason(code: number, opened: boolean): string {
  if (!opened) return 'no WebSocket server answered';
  if (code === ABNORMAL) return 'it was lost';
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
