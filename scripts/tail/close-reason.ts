/** Not sent by anybody: there was no Close frame. */
const ABNORMAL = 1006;

/** What ended a connection, in words. Why one was not opened, the WebSocket of the platform does not say. */
export function closeReason(code: number, opened: boolean): string {
  if (!opened) return 'nothing that takes WebSockets answered';
  if (code === ABNORMAL) return 'it broke';
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
