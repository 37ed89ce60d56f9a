import { expect, it } from 'vitest';
import { counted, countText, durationText, rateText, shareText, windowText } from '../../web/text/numbers.ts';
import { untilText } from '../../web/text/until.ts';

it('writes rates with as many digits as say something', () => {
  expect([0, 0.004, 0.25, 3.14, 240.4, 12_345].map(rateText)).toEqual([
    '0',
    '< 0.01',
    '0.25',
    '3.1',
    '240',
    '12,345',
  ]);
});

it('writes durations in the unit that fits', () => {
  const texts = [0.84, 120.4, 1_500, 180_000, 9_000_000, 345_600_000].map(durationText);
  expect(texts).toEqual(['0.8 ms', '120 ms', '1.5 s', '3 min', '2.5 h', '4 d']);
});

it('writes windows exactly, in the unit that fits', () => {
  const texts = [1, 90, 60, 300, 3_600, 86_400].map(windowText);
  expect(texts.map((text) => text.replace('\u00a0', ' '))).toEqual([
    '1 s',
    '90 s',
    '1 min',
    '5 min',
    '1 h',
    '24 h',
  ]);
});

it('writes parts of a whole, also of nothing', () => {
  expect(shareText(1, 0)).toBe('0 %');
  expect(shareText(0, 10)).toBe('0 %');
  expect(shareText(1, 100_000)).toBe('< 0.1 %');
  expect(shareText(3, 1_000)).toBe('0.3 %');
  expect(shareText(50, 100)).toBe('50 %');
});

it('counts nouns', () => {
  expect([counted(1, 'session'), counted(0, 'session'), counted(1_200, 'session')]).toEqual([
    '1 session',
    '0 sessions',
    '1,200 sessions',
  ]);
  expect(countText(20_015)).toBe('20,015');
});

it('says how long something lasts, and when it is over', () => {
  expect(untilText(300_000, 0)).toBe('for 5 min');
  expect(untilText(10, 0)).toBe('for 1 s');
  expect(untilText(5, 5)).toBe('no longer');
});
