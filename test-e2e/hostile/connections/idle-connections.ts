import { describe, expect, it } from 'vitest';
import { ATTACKER, type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';
import { loopbackAddresses } from '../support/wire.ts';

export function idleConnections(setup: AttackSetup): void {
  describe('connections that never complete a request', () => {
    it.each<[string, string[]]>([
      ['from one address', [ATTACKER]],
      ...(LONG ? ([['from many', loopbackAddresses(200)]] as [string, string[]][]) : []),
    ])('do not affect other clients: two thousand idle ones, %s', async (_, from) => {
      const seconds = LONG ? 15 : 6;
      const [report] = await expectWithstood(setup, { attack: 'trickle', from, connections: 2_000, seconds });
      expect(report?.problems).toEqual([]);
    });

    it('do not affect other clients: two thousand that stay open after a first request', async () => {
      const start = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
      const attack = { attack: 'trickle', from: [ATTACKER], connections: 2_000, start } as const;
      await expectWithstood(setup, { ...attack, seconds: SECONDS });
    });
  });

  describe('five hundred connections per second', () => {
    it.each<[string, 'end' | 'reset' | { send: string }]>([
      ['ended at once', 'end'],
      ['reset after one byte', { send: 'G' }],
      ...(LONG ? ([['reset at once', 'reset']] as [string, 'reset'][]) : []),
      ['reset after a request', { send: 'GET /api/v1/x HTTP/1.1\r\nHost: x\r\n\r\n' }],
    ])('do not affect other clients: %s', async (_, then) => {
      const attack = { attack: 'connectFlood', from: [ATTACKER], per_second: 500 } as const;
      const [report] = await expectWithstood(setup, { ...attack, seconds: SECONDS, then });
      expect(report?.counts.connections, 'they were made').toBeGreaterThan(100);
    });
  });
}
