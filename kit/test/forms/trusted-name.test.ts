import { describe, expect, it, test } from 'vitest';
import { Form } from '../../src/form.ts';
import { readTrustedName } from '../../src/trusted-name.ts';

function codesOf(text: string): string[] {
  const form = new Form();
  readTrustedName(form, 'name', text, { max: 32 });
  return form.violations.map(({ path, code }) => `${path} ${code}`);
}
const REFUSED = ['name INVALID_FORMAT'];

describe('a name that people base trust on', () => {
  it.each([
    ['zero-width spaces', '\u200b\u200b'],
    ['a joiner', '\u200d'],
    ['a non-joiner', '\u200c'],
    ['a word joiner between blanks', ' \u2060 '],
    ['a soft hyphen', '\u00ad'],
    ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
    ['a Braille blank', '\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['tags', '\u{e0067}\u{e007f}'],
    ['a Mongolian vowel separator', '\u180e'],
    ['a grapheme joiner', '\u034f'],
    ['Khmer inherent vowels', '\u17b4\u17b5'],
    ['invisible operators', '\u2061\u2062\u2063\u2064'],
    ['musical and shorthand controls', '\u{1d159}\u{1d173}\u{1bca0}'],
    ['blank hieroglyphs', '\u{13441}\u{13442}'],
    ['marks alone', '\u0301\u20dd'],
    ['a noncharacter', '\ufffe'],
    ['blanks between fillers', '\u3164 \u3164'],
  ])('must not consist of %s', (_what, text) => {
    expect(codesOf(text)).toEqual(REFUSED);
  });

  it.each([
    ...[0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ...[0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x9f, 0x2028, 0x2029, 0x206a, 0x206f, 0xfff9, 0xfffb],
  ])('must not contain character %i, which controls text or its direction', (character) => {
    expect(codesOf(`a${String.fromCodePoint(character)}b`)).toEqual(REFUSED);
  });

  it.each([
    'a',
    '.',
    'José',
    'Ångström',
    '名前',
    'שלום',
    'مرحبا',
    'می\u200cخواهم', // a non-joiner within a Persian word
    'ක්\u200dෂ', // a joiner within a Sinhalese one
    '한글',
    '👩\u200d👩\u200d👧\u200d👦',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', // the flag of Scotland
    '🇯🇵',
    '👍🏽',
    'Rock & Roll 🤘',
    'a\u200bb',
  ])('may be %s', (text) => {
    expect(codesOf(text)).toEqual([]);
  });
});

test('a trusted name is trimmed before it is checked, and has a maximum length', () => {
  const form = new Form();
  expect(readTrustedName(form, 'name', '\t Name \n', { max: 4 })).toBe('Name');
  expect(form.violations).toEqual([]);
  expect(codesOf(' \u3000 ')).toEqual(['name STRING_LENGTH_INVALID']);
  expect(codesOf('x'.repeat(33))).toEqual(['name STRING_LENGTH_INVALID']);
});
