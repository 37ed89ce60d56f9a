import { describe, expect, it } from 'vitest';
import { expectHeld } from '../support/expect-held.ts';
import { ATTACKER, LONG, SECONDS, type Stage } from '../support/stage.ts';
import { addresses } from '../support/wire.ts';

export function idleConnections(stage: Stage): void {
  describe('connections that never complete a request', () => {
    it.each<[string, string[]]>([
      ['from one address', [ATTACKER]],
      ...(LONG ? ([['from many', addresses(200)]] as [string, string[]][]) : []),
    ])('do not affect other clients: two thousand idle ones, %s', async (_, from) => {
      const seconds = LONG ? 15 : 6;
      const [report] = await expectHeld(stage, { attack: 'trickle', from, connections: 2_000, seconds });
      expect(report?.problems).toEqual([]);
    });

    it('do not affect other clients: two thousand that stay open after a first request', async () => {
      const start = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
      const attack = { attack: 'trickle', from: [ATTACKER], connections: 2_000, start } as const;
      await expectHeld(stage, { ...attack, seconds: SECONDS });
    });
  });

  describe('five hundred connections per second', () => {
    it.each<[string, 'end' | 'reset' | { send: string }]>([
      ['ended at once', 'end'],
      ['reset after one byte', { send: 'G' }],
      ...(LONG ? ([['reset at once', 'reset']] as [string, 'reset'][]) : []),
      ['reset after a request', { send: 'GET /api/v1/x HTTP/1.1\r\nHost: x\r\n\r\n' }],
    ])('do not affect other clients: %s', async (_, then) => {
      const attack = { attack: 'knock', from: [ATTACKER], per_second: 500 } as const;
      const [report] = await expectHeld(stage, { ...attack, seconds: SECONDS, then });
      expect(report?.counts.connections, 'they were made').toBeGreaterThan(100);
    });
  });
}
