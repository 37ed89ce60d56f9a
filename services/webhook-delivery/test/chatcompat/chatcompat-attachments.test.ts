import { parseObject } from '@gatehouse/kit/json';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { describe, expect, it } from 'vitest';
import { EMPTY_EMBED, embedsOf, messageOf } from './chatcompat-fixtures.ts';

describe('each member of an attachment becomes its part of the embed', () => {
  it.each<[attachment: object, embed: Partial<EmbedInput>]>([
    [{ pretext: 'Before', text: 'After' }, { description: 'Before\nAfter' }],
    [{ pretext: 'Before' }, { description: 'Before' }],
    [{ text: 'After', fallback: 'Plain' }, { description: 'After' }],
    [{ pretext: ' ', text: '', fallback: 'Plain' }, { description: 'Plain' }],
    [{ pretext: null, text: 5, fallback: 'Plain' }, { description: 'Plain' }],
    [{ pretext: 'Before', fallback: 'Plain' }, { description: 'Before' }],
    [{ text: '*bold* <https://x.test|x> &amp;' }, { description: '*bold* <https://x.test|x> &amp;' }],
    [
      { title: 'T', title_link: 'https://x.test/t' },
      { title: 'T', url: 'https://x.test/t' },
    ],
    [
      { title: 'T', color: '#36a64f' },
      { title: 'T', color: 0x36a64f },
    ],
    [
      { title: 'T', color: '36A64F' },
      { title: 'T', color: 0x36a64f },
    ],
    [
      { title: 'T', color: '000000' },
      { title: 'T', color: 0 },
    ],
    [{ footer: 'F' }, { footer: { text: 'F' } }],
    [{ image_url: 'http://x.test/i.png' }, { image: { url: 'http://x.test/i.png' } }],
    [{ thumb_url: 'https://x.test/t.png' }, { thumbnail: { url: 'https://x.test/t.png' } }],
    [{ author_name: 'Ada' }, { author: { name: 'Ada', url: null, icon_url: null } }],
    [
      { author_name: 'Ada', author_link: 'https://x.test/ada', author_icon: 'https://x.test/ada.png' },
      { author: { name: 'Ada', url: 'https://x.test/ada', icon_url: 'https://x.test/ada.png' } },
    ],
    [{ title: 'T', author_link: 'https://x.test/ada' }, { title: 'T' }],
    [
      { fields: [{ title: 'Status', value: 'down' }] },
      { fields: [{ name: 'Status', value: 'down', inline: false }] },
    ],
  ])('%j', (attachment, embed) => {
    expect(embedsOf(attachment)).toEqual([{ ...EMPTY_EMBED, ...embed }]);
  });

  it.each(['good', 'danger', '#fff', '#36a64f0', '36a64g', '##36a64f', ' 36a64f', '36a64f\n', 3581519, null])(
    'the color %j is ignored',
    (color) => expect(embedsOf({ title: 'T', color })[0]?.color).toBeNull(),
  );

  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000Z'],
    [1_700_000_000.25, '2023-11-14T22:13:20.250Z'],
    [0.0000001, '1970-01-01T00:00:00.000Z'],
    [-62_167_219_200, '0000-01-01T00:00:00.000Z'],
    [-62_167_219_201, null],
    [253_402_300_799, '9999-12-31T23:59:59.000Z'],
    [253_402_300_800, null],
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    ['1700000000.123456', '2023-11-14T22:13:20.123Z'],
    [' 1700000000\n', '2023-11-14T22:13:20.000Z'],
    ['yesterday', null],
    ['', null],
    ['0x10', null],
    ['1e9', null],
    [1_700_000_000_000, null],
    [1e308, null],
    [true, null],
    [null, null],
    [{}, null],
  ])('ts %j is %s', (ts, timestamp) => {
    expect(embedsOf({ title: 'T', ts })[0]?.timestamp).toBe(timestamp);
  });

  it.each(['ftp://x.test', 'javascript:alert(1)', 'x.test', '/x', 'https://x y', 5, null, ''])(
    'the link %j is dropped and the rest kept',
    (link) => {
      expect(
        embedsOf({
          title: 'T',
          author_name: 'A',
          title_link: link,
          author_link: link,
          author_icon: link,
          image_url: link,
          thumb_url: link,
        }),
      ).toEqual([{ ...EMPTY_EMBED, title: 'T', author: { name: 'A', url: null, icon_url: null } }]);
    },
  );

  it.each([
    [true, true],
    ['true', true],
    ['True', true],
    [1, true],
    [false, false],
    ['false', false],
    ['TRUE', false],
    [0, false],
    [2, false],
    [null, false],
    [{}, false],
  ])('short %j is inline %s', (short, inline) => {
    expect(embedsOf({ fields: [{ title: 'a', value: 'b', short }] })[0]?.fields[0]?.inline).toBe(inline);
  });

  it('numbers keep the digits that were sent', () => {
    const numbers = ['12345678901234567890', '1.10', '-0', '1e3', '0.1000000000000000055'];
    const fields = numbers.map((number) => `{"title":"n","value":${number},"short":1.0}`).join(',');
    const body = `{"attachments":[{"title":"T","ts":1700000000.99999999,"fields":[${fields}]}, 1.5]}`;
    const [embed] = messageOf(parseObject(Buffer.from(body)))?.embeds ?? [];
    expect(embed?.timestamp).toBe('2023-11-14T22:13:20.999Z');
    expect(embed?.fields).toEqual(numbers.map((value) => ({ name: 'n', value, inline: true })));
  });

  it('numbers and booleans become strings; fields without title or value are dropped', () => {
    const fields = [
      { title: 1, value: false },
      { title: 'only' },
      { value: 'only' },
      { title: ' ', value: 'x' },
      { title: 'x', value: null },
      { title: ['x'], value: 'x' },
      null,
      'text',
      { title: 'z', value: 0.5 },
    ];
    expect(embedsOf({ fields })[0]?.fields).toEqual([
      { name: '1', value: 'false', inline: false },
      { name: 'z', value: '0.5', inline: false },
    ]);
  });
});
