import { describe, expect, it } from 'vitest';
import { ATTACKER, type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';

const line = (what: string, ...fields: string[]) =>
  [`${what} HTTP/1.1`, 'Host: x', 'X-Request-Id: {id}', ...fields, '', ''].join('\r\n');
const GET = line('GET /api/v1/x');
const HEAD = line('HEAD /api/v1/x');
const POST = `${line('POST /api/v1/x', 'Content-Type: application/json', 'Content-Length: 2')}{}`;
/** The responses are 200, 204, 400, 401, 404 and 429. */
const MIXED = [
  GET,
  line('GET /livez'),
  HEAD,
  line('OPTIONS /api/v1/users/@me'),
  line('GET /api/v1/guilds/abc', 'Authorization: nonsense'),
  `${line('POST /api/v1/webhooks/1/x', 'Content-Length: 5')}{"a":`,
  POST,
  line('GET /api/v1/%zz/%'),
  `${line('POST /api/v1/webhooks/x/x/codehost', 'Transfer-Encoding: chunked')}1\r\nx\r\n0\r\n\r\n`,
  line('DELETE /api/v1/users/@me'),
];
const attack = { attack: 'pipeline', from: ATTACKER, seconds: SECONDS, connections: 1 } as const;

export function pipelining(setup: AttackSetup): void {
  describe('pipelined requests', () => {
    it('are all answered in order if one connection sends them endlessly', async () => {
      const [report] = await expectWithstood(setup, {
        ...attack,
        requests: [GET],
        reads: true,
        finishes: true,
      });
      expect(Object.keys(report?.statuses ?? {})).toEqual(['404']);
    });

    it('do not affect other clients if the responses are not read', async () => {
      await expectWithstood(setup, { ...attack, requests: [GET], reads: false, connections: 10 });
    });

    it('of all kinds are answered in order, including one that is not HTTP', async () => {
      const [report] = await expectWithstood(setup, {
        ...attack,
        requests: MIXED,
        reads: true,
        breaks_after: 5_000,
      });
      expect(Object.keys(report?.statuses ?? {})).toEqual(
        expect.arrayContaining(['200', '204', '400', '404']),
      );
    });

    it('leave room for others if fifty connections send them', async () => {
      await expectWithstood(setup, { ...attack, requests: [GET], reads: true, connections: 50 });
    });

    if (LONG) {
      it.each([
        ['POST', [POST]],
        ['HEAD', [HEAD]],
      ])('are all answered in order (%s)', async (_, requests) => {
        await expectWithstood(setup, { ...attack, requests, reads: true, finishes: true });
      });

      it('leave room for others if fifty connections send all kinds of them', async () => {
        await expectWithstood(setup, { ...attack, requests: MIXED, reads: true, connections: 50 });
      });
    }
  });
}
