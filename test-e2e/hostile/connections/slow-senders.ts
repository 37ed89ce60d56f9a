import { beforeAll, describe, expect, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import type { Report } from '../attacks/attack.ts';
import { ATTACKER, type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { type Attacker, attack } from '../support/attacker.ts';
import { expectWithstood } from '../support/expect-withstood.ts';

const KiB = 1024;
const HEAD = 'GET /api/v1/users/@me HTTP/1.1\r\nHost: x\r\nX-Slow: ';
const CLOSED_WITHIN_MS = 60_000;

const trickle = { attack: 'trickle', from: [ATTACKER], seconds: SECONDS } as const;

/** Heads and bodies sent at one byte per second. `areClosed` must be the last test of its file. */
export function slowSenders(setup: AttackSetup): { areClosed(): void } {
  let hook = '';
  let watched: Attacker;
  beforeAll(async () => {
    hook = (await newWebhook(setup.stack.api)).path;
    // There are few of them, open during all other attacks of this file; the test only checks when they are closed.
    const few = { attack: 'trickle', from: ['127.0.0.5'], connections: 20 } as const;
    const seconds = CLOSED_WITHIN_MS / 1000 + 1;
    watched = attack(setup.target, { ...few, seconds, start: HEAD, drip: 'x' });
  });

  describe('heads sent at one byte per second', () => {
    it('do not affect other clients on 500 connections', async () => {
      const [report] = await expectWithstood(setup, { ...trickle, connections: 500, start: HEAD, drip: 'x' });
      expectPolite(report);
    });

    it('take no more memory than their length: a thousand of 40 KiB', async () => {
      const start = HEAD + 'x'.repeat(40 * KiB);
      const [report] = await expectWithstood(setup, { ...trickle, connections: 1_000, start, drip: 'x' });
      expectPolite(report);
    });
  });

  describe('bodies sent at one byte per second', () => {
    it('do not affect other clients on 500 connections', async () => {
      const starts = [`/webhooks/1/x/codehost`, `${hook}/codehost`, '/auth/login', hook];
      const orders = starts.map((path) => {
        const fields = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"x":"';
        const start = `POST /api/v1${path} HTTP/1.1\r\n${fields}`;
        return { ...trickle, connections: 500 / starts.length, start, drip: 'x', again: true } as const;
      });
      for (const report of await expectWithstood(setup, ...orders)) expectPolite(report);
    });
  });

  if (LONG) {
    it('five hundred heads sent at one byte per second are closed in time', async () => {
      const seconds = CLOSED_WITHIN_MS / 1000 + 1;
      const [report] = await expectWithstood(setup, {
        ...trickle,
        seconds,
        connections: 500,
        start: HEAD,
        drip: 'x',
      });
      expectClosedInTime(report);
    });
  }
  // After the other tests of this file, so that most of the time has passed.
  return {
    areClosed: () => {
      it('heads sent at one byte per second are closed within a minute', async () => {
        expectClosedInTime(await watched.report);
      });
    },
  };
}

function expectClosedInTime(report: Report | undefined): void {
  expect(report?.counts.connections).toBeGreaterThan(0);
  expect(report?.counts.held, 'still open').toBeUndefined();
  expect(report?.slowest_ms, 'longest open time in ms').toBeLessThan(CLOSED_WITHIN_MS);
  expectPolite(report);
}

/** Slow clients may get 408, and clients beyond the connection limit may be refused. */
function expectPolite(report: Report | undefined): void {
  const statuses = Object.keys(report?.statuses ?? {});
  expect(statuses.filter((status) => !['401', '404', '408', '429', '503'].includes(status))).toEqual([]);
}
