import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/codehost/events.ts';
import { renderCodehost } from '../../src/codehost/render.ts';
import type { Rendering } from '../../src/execution/rendering.ts';
import { messageFaults } from '../fixtures/message-faults.ts';
import { hostile, mutated, mutationsOf } from '../fixtures/mutations.ts';
import { exampleDeliveries } from './codehost-corpus.ts';
import { repository } from './codehost-fixtures.ts';

const deliveries = exampleDeliveries();

describe('the example deliveries of a real code host', () => {
  it('68 of 329 render, within all limits; the others have a reason', () => {
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

  it('with any members deleted or replaced by any JSON, they render within limits or not at all', () => {
    const known = deliveries.filter(({ event }) => EVENTS.has(event));
    const changed = fc
      .constantFrom(...known)
      .chain(({ event, payload }) => fc.tuple(fc.constant(event), mutated(payload)));
    fc.assert(
      fc.property(changed, ([event, payload]) => {
        expect(faultsOf(renderCodehost(event, payload))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('with any JSON instead, they render within limits or not at all', () => {
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

it('with each member at any depth deleted or of another type, they render within limits or not at all', () => {
  const faults: unknown[] = [];
  const outcomes = { message: 0, nothing: 0 };
  for (const { event, payload } of deliveries) {
    for (const { value, path, other } of mutationsOf(payload)) {
      const rendering = renderCodehost(event, value);
      outcomes['message' in rendering ? 'message' : 'nothing'] += 1;
      const found = faultsOf(rendering);
      if (found.length > 0) faults.push({ event, path, other, found });
    }
  }
  expect(faults).toEqual([]);
  // Many of each: mutations affect both rendered members and others.
  expect(outcomes.message).toBeGreaterThan(50_000);
  expect(outcomes.nothing).toBeGreaterThan(50_000);
});

/** The faults of an event's message. */
function faultsOf(rendering: Rendering<EmbedInput>): string[] {
  if ('nothing' in rendering) return [];
  const { title, description, fields } = rendering.message;
  const faults = messageFaults({ embeds: [rendering.message] });
  if (!title) faults.push('no title');
  if (title !== title?.trim()) faults.push('title untrimmed');
  if (/[\r\n]/.test(title ?? '')) faults.push('title of several lines');
  if (codePoints(description ?? '') > 350) faults.push('description too long');
  if (fields.length > 0) faults.push('fields');
  return faults;
}
