import { beforeAll, describe, expect, it } from 'vitest';
import { newcomer, newWebhook } from '../../support/people.ts';
import type { Report } from '../attacks/attack.ts';
import type { BodyRequest } from '../attacks/bodies.ts';
import { ATTACKER, type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';

const MiB = 1024 * 1024;
const bytes = 14 * MiB;

export function jsonBombs(setup: AttackSetup): void {
  let authorization = '';
  let hook = '';
  beforeAll(async () => {
    authorization = `Bearer ${(await newcomer(setup.stack.api)).token}`;
    hook = (await newWebhook(setup.stack.api)).path;
  });

  const attack = { attack: 'bodies', from: [ATTACKER], seconds: SECONDS } as const;
  const profile = (shape: BodyRequest['shape']): BodyRequest => ({
    method: 'PATCH',
    path: '/users/@me',
    headers: { authorization, 'content-type': 'application/json' },
    shape,
    bytes,
  });
  const toHook = (path: string, shape: BodyRequest['shape'], length: number): BodyRequest => ({
    method: 'POST',
    path: `${hook}${path}`,
    headers: { 'content-type': 'application/json', 'x-codehost-event': 'push' },
    shape,
    bytes: length,
  });

  describe('a long body of JSON', () => {
    it('with millions of empty objects, three at a time with one session', async () => {
      expectPolite(await expectWithstood(setup, { ...attack, requests: [profile('objects')], at_once: 3 }));
    });

    it('with only opening brackets', async () => {
      const guild = { ...profile('deep'), method: 'POST', path: '/guilds' };
      const requests = [profile('deep'), profile('deep_objects'), guild, { ...guild, bytes: MiB - 10 }];
      expectPolite(await expectWithstood(setup, { ...attack, requests, at_once: 4 }));
    });

    it('with numbers, escapes or members, to a profile', async () => {
      const requests = [profile('numbers'), profile('escapes'), profile('members')];
      expectPolite(await expectWithstood(setup, { ...attack, requests, at_once: 3 }));
    });

    it('to the routes of a webhook, which parse it themselves', async () => {
      const requests = [
        toHook('/codehost', 'objects', 24 * MiB),
        toHook('/codehost', 'members', 12 * MiB),
        toHook('/chatcompat', 'arrays', MiB - 10),
        toHook('', 'objects', MiB - 10),
        toHook('/codehost', 'deep', 24 * MiB),
      ];
      expectPolite(await expectWithstood(setup, { ...attack, requests, at_once: 3 }));
    });

    if (LONG) {
      it.each([
        'objects',
        'arrays',
        'deep',
        'deep_objects',
        'numbers',
        'escapes',
        'members',
        'text',
      ] as const)('with %s, six at a time', async (shape) => {
        expectPolite(await expectWithstood(setup, { ...attack, requests: [profile(shape)], at_once: 6 }));
        const requests = [toHook('/codehost', shape, 24 * MiB)];
        expectPolite(await expectWithstood(setup, { ...attack, requests, at_once: 6 }));
      });
    }
  });
}

/** The attacker gets a validation error, or 503 while there is no capacity. */
function expectPolite(reports: Report[]): void {
  for (const { counts, statuses } of reports) {
    expect(Object.keys(statuses).length, 'some were answered').toBeGreaterThan(0);
    expect(counts.refused, 'no connection is refused').toBeUndefined();
    expect(counts['cut off'], 'no request ends without a response').toBeUndefined();
  }
}
