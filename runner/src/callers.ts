import { CALLS } from '@gatehouse/proto/peers';

/**
 * Calls from an outbox. They are repeated until they are answered, after a restart too, so a stop need not wait for
 * them.
 */
const DEFERRED = [
  { from: 'auth', to: 'oauth2' },
  { from: 'chat', to: 'webhook-delivery' },
];

/**
 * The processes that call this one. The edge is not one of realtime's: it only tunnels WebSockets, and realtime asks
 * its clients to reconnect, so the two stop side by side.
 */
export function callersOf(name: string): readonly string[] {
  const callers = CALLS.filter(({ from, to }) => to === name && from !== name && !isDeferred(from, to));
  return [...new Set(callers.map(({ from }) => from))];
}

function isDeferred(from: string, to: string): boolean {
  return DEFERRED.some((call) => call.from === from && call.to === to);
}
