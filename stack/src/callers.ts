import { CALLS } from '@gatehouse/proto/peers';

/** Calls that are repeated until they have been answered, after a start too: a stop need not wait for them. */
const DEFERRED = [
  { from: 'auth', to: 'oauth2' },
  { from: 'chat', to: 'webhook-delivery' },
];

/**
 * The processes that call this one. The edge passes WebSockets on to realtime, which tells its clients to go elsewhere:
 * the two end side by side.
 */
export function callersOf(name: string): readonly string[] {
  const callers = CALLS.filter(({ from, to }) => to === name && from !== name && !isDeferred(from, to));
  return [...new Set(callers.map(({ from }) => from))];
}

function isDeferred(from: string, to: string): boolean {
  return DEFERRED.some((call) => call.from === from && call.to === to);
}
