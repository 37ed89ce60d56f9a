import type { Entries } from '../support/expect-error.ts';

/** What an execution may not hold, and what is said about it. */
export const REFUSED: [string, object, Entries][] = [
  ['content of 4,001', { content: text(4001) }, { content: 'CONTENT_EXCEEDS_MAX_LENGTH' }],
  ['11 embeds', { embeds: Array(11).fill({ title: 'x' }) }, { embeds: 'TOO_MANY_EMBEDS' }],
  ['a title of 257', embed({ title: text(257) }), { 'embeds.0.title': 'STRING_LENGTH_INVALID' }],
  [
    'a description of 4,097',
    embed({ description: text(4097) }),
    { 'embeds.0.description': 'STRING_LENGTH_INVALID' },
  ],
  [
    'an author of 257',
    embed({ author: { name: text(257) } }),
    { 'embeds.0.author.name': 'STRING_LENGTH_INVALID' },
  ],
  [
    'a footer of 2,049',
    embed({ footer: { text: text(2049) } }),
    { 'embeds.0.footer.text': 'STRING_LENGTH_INVALID' },
  ],
  ['a field name of 257', field({ name: text(257) }), { 'embeds.0.fields.0.name': 'STRING_LENGTH_INVALID' }],
  [
    'a field value of 1,025',
    field({ value: text(1025) }),
    { 'embeds.0.fields.0.value': 'STRING_LENGTH_INVALID' },
  ],
  ['an empty field name', field({ name: '' }), { 'embeds.0.fields.0.name': 'STRING_LENGTH_INVALID' }],
  [
    'a script as a link',
    embed({ title: 'x', url: 'javascript:alert(1)' }),
    { 'embeds.0.url': 'INVALID_URL_FORMAT' },
  ],
  ['a link that is none', embed({ title: 'x', url: 'not a url' }), { 'embeds.0.url': 'INVALID_URL_FORMAT' }],
  ['a link of 2,049', embed({ title: 'x', url: link(2049) }), { 'embeds.0.url': 'URL_LENGTH_INVALID' }],
  [
    'an ftp image',
    embed({ image: { url: 'ftp://a.example/x' } }),
    { 'embeds.0.image.url': 'INVALID_URL_FORMAT' },
  ],
  ['a colour below 0', embed({ title: 'x', color: -1 }), { 'embeds.0.color': 'COLOR_VALUE_TOO_LOW' }],
  [
    'a colour above 24 bits',
    embed({ title: 'x', color: 16777216 }),
    { 'embeds.0.color': 'COLOR_VALUE_TOO_HIGH' },
  ],
  [
    'no timestamp',
    embed({ title: 'x', timestamp: 'yesterday' }),
    { 'embeds.0.timestamp': 'INVALID_ISO_TIMESTAMP' },
  ],
  [
    '6,001 in all',
    { embeds: [{ description: text(4000) }, { description: text(2001) }] },
    { embeds: 'EMBEDS_EXCEED_MAX_CHARACTERS' },
  ],
];

/** What is of a wrong type, and where that is said. */
export const WRONG_TYPES: [string, object, string][] = [
  ['content', { content: 5 }, 'content'],
  ['embeds', { content: 'x', embeds: {} }, 'embeds'],
  ['an embed', { content: 'x', embeds: [7] }, 'embeds.0'],
  ['a title', embed({ title: {} }), 'embeds.0.title'],
  ['a colour', embed({ title: 'x', color: '#ffffff' }), 'embeds.0.color'],
  ['a broken colour', embed({ title: 'x', color: 1.5 }), 'embeds.0.color'],
  ['fields', embed({ fields: 'x' }), 'embeds.0.fields'],
  ['flags', { content: 'x', flags: 'loud' }, 'flags'],
  ['flags of 1.5', { content: 'x', flags: 1.5 }, 'flags'],
  ['username', { content: 'x', username: 7 }, 'username'],
  ['allowed_mentions', { content: 'x', allowed_mentions: 'all' }, 'allowed_mentions'],
  ['a user to mention', { content: 'x', allowed_mentions: { users: ['0x1'] } }, 'allowed_mentions.users.0'],
];

/** So many characters of two UTF-16 units each: lengths count code points. */
export function text(length: number): string {
  return '😀'.repeat(length);
}

function embed(part: object): object {
  return { embeds: [part] };
}

function field(part: object): object {
  return embed({ fields: [{ name: 'n', value: 'v', ...part }] });
}

export function link(length: number): string {
  return 'https://a.example/'.padEnd(length, 'x');
}
