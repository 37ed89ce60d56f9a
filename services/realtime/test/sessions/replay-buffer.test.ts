import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dispatchOf } from '../../src/connections/dispatch.ts';
import type { ReplayEntry } from '../../src/following/event-receiver.ts';
import { KeptDispatches } from '../../src/sessions/kept-dispatches.ts';
import { ReplayBuffer } from '../../src/sessions/replay-buffer.ts';

const keeping = (max_positions: number) => ({ max_positions, kept: new KeptDispatches() });

describe('positions', () => {
  test('are numbered from one, and undefined before and after', () => {
    const kept = new ReplayBuffer(keeping(100));
    expect([kept.first(), kept.last()]).toEqual([1, 0]);
    kept.push(7);
    expect([kept.get(0), kept.get(1), kept.get(2)]).toEqual([undefined, 7, undefined]);
  });

  test('continue from the `s` of a transferred session', () => {
    const kept = new ReplayBuffer(keeping(100), 41);
    kept.push(7);
    expect([kept.first(), kept.last(), kept.get(42)]).toEqual([42, 42, 7]);
  });

  test('match a plain list, whatever is pushed and forgotten', () => {
    const dispatch = dispatchOf('RESUMED', 'null');
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ push: fc.oneof(fc.nat(), fc.constant<ReplayEntry>(dispatch)) }) },
      { weight: 1, arbitrary: fc.record({ forget: fc.double({ min: 0, max: 1, noNaN: true }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (steps, max) => {
        const { kept: allKept, ...bound } = keeping(max);
        const kept = new ReplayBuffer({ ...bound, kept: allKept });
        const plain: ReplayEntry[] = [];
        let forgotten = 0;
        for (const one of steps) {
          if ('push' in one) {
            kept.push(one.push);
            plain.push(one.push);
            forgotten = Math.max(forgotten, plain.length - max);
          } else {
            const seq = Math.floor(one.forget * (plain.length + 3));
            kept.forget(seq);
            forgotten = Math.max(forgotten, Math.min(seq, plain.length));
          }
          expect(kept.first()).toBe(forgotten + 1);
          expect(kept.last()).toBe(plain.length);
          const texted = plain.slice(forgotten).filter((position) => position === dispatch);
          expect(kept.keptBytes()).toBe(texted.length * dispatch.rest.length);
          expect(allKept.bytes(), 'the same one, however often').toBe(
            texted.length > 0 ? dispatch.rest.length : 0,
          );
          for (let seq = 1; seq <= plain.length; seq++)
            expect(kept.get(seq)).toBe(seq <= forgotten ? undefined : plain[seq - 1]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
