import type { EmbedInput } from '@gatehouse/proto/chat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../src/codehost/events.ts';
import { renderCodehost } from '../src/codehost/render.ts';
import type { Rendering } from '../src/execution/rendering.ts';
import { exampleDeliveries } from './codehost-corpus.ts';
import { repository } from './codehost-fixtures.ts';
import { faultsOf } from './codehost-limits.ts';
import { mutateEach } from './mutate-each.ts';

const deliveries = exampleDeliveries();

describe('the example deliveries of a real code host', () => {
  it('render 68 of 329, within all limits; the others say why not', () => {
    const counts: Record<string, number> = {};
    for (const { event, payload } of deliveries) {
      const rendering = renderCodehost(event, payload);
      expect(faultsOf(rendering), event).toEqual([]);
      const outcome = 'message' in rendering ? 'message' : rendering.nothing;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    expect(deliveries).toHaveLength(329);
    expect(counts).toEqual({ message: 68, action_not_shown: 100, event_unknown: 156, no_commits: 5 });
  });

  it('render with any part replaced by any JSON within limits or not at all', () => {
    const known = deliveries.filter(({ event }) => EVENTS.has(event));
    const change = fc.tuple(fc.nat(), hostile());
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        ({ event, payload }, changes) => {
          const mutated = changes.reduce(
            (value, [at, change]) => replaced(value, at, change),
            payload as unknown,
          );
          expect(faultsOf(renderCodehost(event, mutated as Record<string, unknown>))).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('and so does any JSON at all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENTS.keys()),
        fc.dictionary(fc.string(), hostile()),
        (event, payload) => {
          expect(faultsOf(renderCodehost(event, { ...payload, repository }))).toEqual([]);
        },
      ),
    );
  });
});

describe('all 329 examples, with each member at every depth changed, one at a time', () => {
  const outcome = (rendering: Rendering<EmbedInput>) => ('message' in rendering ? 'message' : 'nothing');

  it('deleted, null, and a value of each other type: render within limits or not at all, and never throw', () => {
    const faults: unknown[] = [];
    const outcomes = { message: 0, nothing: 0 };
    for (const { event, payload } of exampleDeliveries()) {
      mutateEach(payload, (path, change) => {
        const rendering = renderCodehost(event, payload);
        outcomes[outcome(rendering)] += 1;
        const found = faultsOf(rendering);
        if (found.length > 0) faults.push({ event, path: [...path], change, found });
      });
    }
    expect(faults).toEqual([]);
    // Of both there are many: the changes reach what renderers read, and leave alone what they do not.
    expect(outcomes.message).toBeGreaterThan(50_000);
    expect(outcomes.nothing).toBeGreaterThan(50_000);
  });

  it('are left as they were', () => {
    const changed = exampleDeliveries().map(({ event, payload }) => {
      mutateEach(payload, () => {});
      return { event, payload };
    });
    expect(changed).toEqual(deliveries);
  });
});

function hostile(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      null,
      [],
      {},
      [[]],
      -1,
      1e308,
      '',
      ' ',
      '\u0000',
      '\ud800',
      '\u202e',
      'a\r\nb\u2028',
      '](https://x.test)`',
      'x'.repeat(5000),
      '🚪'.repeat(3000),
      'javascript:x',
      JSON.parse('{"__proto__": {"login": "x"}, "constructor": 1, "toString": null}'),
    ),
  );
}

/** Replaces the part that a number picks, walking down by its digits. */
function replaced(value: unknown, at: number, change: unknown): unknown {
  if (typeof value !== 'object' || value === null || at % 7 === 0) return change;
  const keys = Object.keys(value);
  const key = keys[at % keys.length];
  if (key === undefined) return change;
  const part = (value as Record<string, unknown>)[key];
  const next = replaced(part, Math.floor(at / 7), change);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? next : item))
    : { ...value, [key]: next };
}
