import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { describe, expect, it } from 'vitest';
import { callersOf } from '../src/callers.ts';

/** All that stop before this one, by way of others too. */
function stopsBefore(name: string, found = new Set<string>()): ReadonlySet<string> {
  for (const caller of callersOf(name).filter((one) => !found.has(one)))
    stopsBefore(caller, found.add(caller));
  return found;
}

describe('stops', () => {
  it.each(SERVICE_NAMES)('of %s never wait for one another in a circle', (name) => {
    expect(stopsBefore(name)).not.toContain(name);
  });

  // The edge closes once its tunnels have, and realtime closes the tunnels.
  it('of realtime and the edge go side by side', () => {
    expect(stopsBefore('realtime')).not.toContain('gateway');
    expect(stopsBefore('gateway')).not.toContain('realtime');
  });

  it.each(['ratelimit', 'auth', 'oauth2', 'chat', 'webhook-delivery', 'media'])(
    'of %s wait for the edge',
    (name) => {
      expect(stopsBefore(name)).toContain('gateway');
    },
  );
});
