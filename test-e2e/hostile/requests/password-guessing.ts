import { beforeAll, describe, expect, it } from 'vitest';
import { newcomer } from '../../support/people.ts';
import { type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';
import { loopbackAddresses } from '../support/wire.ts';

const attack = { attack: 'logins', logins: 10_000, connections: 64, seconds: SECONDS } as const;

/** An attacker that guesses passwords. */
export function passwordGuessing(setup: AttackSetup): void {
  let emails: string[] = [];
  beforeAll(async () => {
    const people = await Promise.all([1, 2, 3].map(() => newcomer(setup.stack.api)));
    emails = people.map(({ email }) => email);
  });

  describe('ten thousand logins with wrong passwords', () => {
    it.each([
      ['nobody’s names', false],
      ['a different X-Forwarded-For each', true],
    ])('from one address are denied after ten of them (%s)', async (_, forwarded) => {
      // Not the attacker's addresses, which other tests have used for logins.
      const from = forwarded ? ['127.0.0.6'] : ['127.0.0.7'];
      const [report] = await expectWithstood(setup, { ...attack, from, per_address: 1_000, forwarded });
      expect(Object.keys(report?.statuses ?? {}).toSorted()).toEqual(['400', '429']);
      expect(report?.statuses[400], 'judged by auth').toBeLessThanOrEqual(LONG ? 20 : 14);
    });

    it('from a thousand addresses do not slow down logged-in clients', async () => {
      const from = loopbackAddresses(1_000);
      const [report] = await expectWithstood(setup, { ...attack, from, per_address: 10 });
      expect(report?.statuses[400], 'some were judged').toBeGreaterThan(0);
    });

    it('to existing accounts from a thousand addresses are denied after five per account', async () => {
      const from = loopbackAddresses(1_000, 1_000);
      const [report] = await expectWithstood(setup, { ...attack, from, per_address: 10, emails });
      expect(report?.statuses[400], 'judged by auth').toBeLessThanOrEqual(5 * emails.length);
    });
  });
}
