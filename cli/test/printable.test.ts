import { expect, test } from 'vitest';
import { printable, printableJson } from '../src/output/printable.ts';

test.each([
  ['plain text, é, 日本, 👩', 'plain text, é, 日本, 👩'],
  ['\t\n\u001b', '\\u{9}\\u{a}\\u{1b}'],
  ['\u0085\u009b', '\\u{85}\\u{9b}'],
  ['\u200b\u202e\u2066\ufeff\u2029', '\\u{200b}\\u{202e}\\u{2066}\\u{feff}\\u{2029}'],
  ['\ud800', '\\u{d800}'],
  ['\u{e0041}', '\\u{e0041}'],
])('%j is printed as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
  const json = printableJson(JSON.stringify(text));
  expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(json)).toBe(text);
});
