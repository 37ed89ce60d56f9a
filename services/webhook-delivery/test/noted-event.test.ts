import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { MAX_EVENT, notedEvent } from '../src/deliveries/delivery.ts';

it.each<[header: string | null | undefined, noted: string | null]>([
  ['push', 'push'],
  [' push ', 'push'],
  ['', null],
  [' ', null],
  [undefined, null],
  [null, null],
  ['\u0000', null],
  ['pu\u0000sh\u001b[31m\n\u202e', 'push[31m'],
  ['x'.repeat(65), 'x'.repeat(64)],
  ['🚪'.repeat(65), '🚪'.repeat(64)],
  ['a\ud800b', 'ab'],
])('the event %j is noted as %j', (header, noted) => {
  expect(notedEvent(header)).toBe(noted);
});

test('whatever the header is, the event is short, printable and not blank', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (header) => {
      const noted = notedEvent(header);
      if (noted === null) return;
      expect(noted).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);
      expect(noted.trim()).toBe(noted);
      expect(noted).not.toBe('');
      expect(Array.from(noted).length).toBeLessThanOrEqual(MAX_EVENT);
    }),
  );
});
