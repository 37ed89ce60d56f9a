import { describe, expect, it } from 'vitest';
import { ATTACKER, type AttackSetup, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';
import { loopbackAddresses } from '../support/wire.ts';

const LONG_HEAD = 60_000;
const text = 'x'.repeat(LONG_HEAD);
/** A head of 60 KB that ends the request. */
const line = (what: string, field = 'X-Long') => `${what} HTTP/1.1\r\nHost: x\r\n${field}: ${text}\r\n\r\n`;
/** As many bytes of trailers after a chunked body. */
const TRAILERS = Array.from({ length: 90 }, (_, n) => `X-${n}: ${'x'.repeat(650)}\r\n`).join('');
/** Answered by the pipeline, by Fastify, by its router, and by a service with one cached call. */
const REQUESTS = [
  line('GET /api/v1/gateway'),
  line('OPTIONS /api/v1/gateway', 'Access-Control-Request-Headers'),
  `GET /api/v1/gateway?${'a&'.repeat(LONG_HEAD / 2)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET /api/v1/${'x/'.repeat(LONG_HEAD / 2)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  line('GET /.well-known/oauth-authorization-server'),
  line('GET /livez'),
  `GET /api/v1/gateway HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${TRAILERS}\r\n`,
];

/** Each head is below the limit; together they would exceed the edge's memory. */
export function longHeads(setup: AttackSetup): void {
  describe('long heads', () => {
    it.each<[string, string[]]>([
      ['one address', [ATTACKER]],
      ['many', loopbackAddresses(1_000)],
    ])('do not affect other clients: a thousand whose bodies never arrive, from %s', async (_, from) => {
      const start = `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Long: ${text}\r\nContent-Length: 9\r\n\r\n`;
      const attack = { attack: 'trickle', from, connections: 1_000, start, again: true } as const;
      const [report] = await expectWithstood(setup, { ...attack, seconds: SECONDS + 1 });
      expect(report?.counts.connections, 'they were made').toBeGreaterThan(100);
    });

    it('do not affect other clients: endlessly on 200 connections that read no response', async () => {
      const attack = { attack: 'pipeline', from: ATTACKER, reads: false, connections: 200 } as const;
      await expectWithstood(setup, { ...attack, seconds: SECONDS, requests: REQUESTS });
    });
  });
}
