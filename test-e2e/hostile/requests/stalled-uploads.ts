import { beforeAll, describe, expect, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import { type AttackSetup, LONG } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';
import { loopbackAddresses } from '../support/wire.ts';

const MiB = 1024 * 1024;
/** Long enough for the stalled uploads to take all the capacity they can get. */
const seconds = LONG ? 20 : 8;
const MAX_WAIT_MS = 5_000;

export function stalledUploads(setup: AttackSetup): void {
  let attacked = '';
  let own = '';
  beforeAll(async () => {
    attacked = (await newWebhook(setup.stack.api)).path;
    own = (await newWebhook(setup.stack.api)).path;
  });

  describe('uploads that stall just before the end', () => {
    it.each([
      ['four addresses, two from each', 4, 2],
      ['eight addresses, three from each', 8, 3],
    ])('leave room for the uploads of others (%s)', async (_, count, connections) => {
      const stalled = {
        attack: 'stall',
        from: loopbackAddresses(count),
        connections,
        path: `${attacked}/codehost`,
        content_length: 25 * MiB,
        sent_bytes: 24 * MiB,
        seconds,
      } as const;
      const pushed = {
        attack: 'bodies',
        from: ['127.0.0.4'],
        at_once: 1,
        seconds,
        pause_ms: 200,
        requests: [
          {
            method: 'POST',
            path: `${own}/codehost`,
            headers: { 'content-type': 'application/json', 'x-codehost-event': 'push' },
            shape: 'text',
            bytes: 5 * MiB,
          },
        ],
      } as const;
      const [, pushes] = await expectWithstood(setup, stalled, pushed);
      expect(Object.keys(pushes?.statuses ?? {}), 'each push is accepted').toEqual(['204']);
      expect(pushes?.counts['cut off'], 'none is cut off').toBeUndefined();
      expect(pushes?.slowest_ms, 'the longest wait of a push, in ms').toBeLessThan(MAX_WAIT_MS);
    });
  });
}
