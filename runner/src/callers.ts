import { CALLS } from '@gatehouse/proto/peers';

/**
 * Calls that no stop waits for. Those of an outbox or a background job are repeated until they are answered, after a
 * restart too. Without realtime's answer the presence of a bot is `unknown`.
 */
const NOT_AWAITED = [
  { from: 'auth', to: 'oauth2' },
  { from: 'auth', to: 'chat' },
  { from: 'auth', to: 'webhook-delivery' },
  { from: 'chat', to: 'webhook-delivery' },
  { from: 'oauth2', to: 'realtime' },
];

/**
 * The processes that call this one. The edge is not one of realtime's: it only tunnels WebSockets, and realtime asks
 * its clients to reconnect, so the two stop side by side.
 */
export function callersOf(name: string): readonly string[] {
  const callers = CALLS.filter(({ from, to }) => to === name && from !== name && isAwaited(from, to));
  return [...new Set(callers.map(({ from }) => from))];
}

function isAwaited(from: string, to: string): boolean {
  return !NOT_AWAITED.some((call) => call.from === from && call.to === to);
}
