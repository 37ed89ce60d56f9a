import { expect, it } from 'vitest';
import { lastText } from '../../web/text/last-text.ts';

it('says how long ago something happened last, also for a clock that is ahead', () => {
  const texts = [-5_000, 0, 1_999, 2_000, 5_900, 59_000, 240_000].map((ago) =>
    lastText(1_000_000 - ago, 1_000_000),
  );
  expect(texts).toEqual(['just now', 'just now', 'just now', '2 s ago', '5 s ago', '59 s ago', '4 min ago']);
});
