import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { Message } from '../support/objects.ts';
import { png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const LINK = 'https://a.example/x';
const NO_LINK = 'ftp://a.example/x';

/** An attachment, and the embed it becomes beside its type; nothing: it is dropped. */
const ROWS: [string, object, object | undefined][] = [
  ['pretext and text', { pretext: 'a', text: 'b' }, { description: 'a\nb' }],
  ['pretext alone', { pretext: 'a' }, { description: 'a' }],
  ['text alone', { text: 'b', fallback: 'c' }, { description: 'b' }],
  ['pretext before fallback', { pretext: 'a', fallback: 'c' }, { description: 'a' }],
  ['fallback alone', { fallback: 'c' }, { description: 'c' }],
  ['fallback where text is blank', { text: ' ', pretext: '', fallback: 'c' }, { description: 'c' }],
  ['fallback where text is null', { text: null, fallback: 'c' }, { description: 'c' }],
  ['text that is no string', { text: 5, fallback: 'c' }, { description: 'c' }],
  ['a colour with #', { text: 'x', color: '#36A64f' }, { description: 'x', color: 0x36a64f }],
  ['a colour without', { text: 'x', color: '000000' }, { description: 'x', color: 0 }],
  ['a colour by name', { text: 'x', color: 'good' }, { description: 'x' }],
  ['a short colour', { text: 'x', color: '#fff' }, { description: 'x' }],
  ['a long colour', { text: 'x', color: '#36a64fff' }, { description: 'x' }],
  ['a colour of two #', { text: 'x', color: '##36a64f' }, { description: 'x' }],
  ['a colour that is a number', { text: 'x', color: 123456 }, { description: 'x' }],
  ['title', { title: 'T' }, { title: 'T' }],
  ['title and link', { title: 'T', title_link: LINK }, { title: 'T', url: LINK }],
  ['title and no web link', { title: 'T', title_link: NO_LINK }, { title: 'T' }],
  ['footer', { footer: 'F' }, { footer: { text: 'F' } }],
  [
    'ts of seconds',
    { text: 'x', ts: 1700000000 },
    { description: 'x', timestamp: '2023-11-14T22:13:20.000Z' },
  ],
  [
    'ts as a string',
    { text: 'x', ts: '1700000000' },
    { description: 'x', timestamp: '2023-11-14T22:13:20.000Z' },
  ],
  [
    'ts with a fraction',
    { text: 'x', ts: '1700000000.25' },
    { description: 'x', timestamp: '2023-11-14T22:13:20.250Z' },
  ],
  ['ts of 0', { text: 'x', ts: 0 }, { description: 'x', timestamp: '1970-01-01T00:00:00.000Z' }],
  ['ts that is none', { text: 'x', ts: 'soon' }, { description: 'x' }],
  ['ts beyond all dates', { text: 'x', ts: 1e18 }, { description: 'x' }],
  [
    'an author',
    { author_name: 'A', author_link: LINK, author_icon: LINK },
    { author: { name: 'A', url: LINK, icon_url: LINK } },
  ],
  [
    'an author without links',
    { author_name: 'A', author_link: NO_LINK, author_icon: '' },
    { author: { name: 'A' } },
  ],
  [
    'an author’s link without a name',
    { text: 'x', author_link: LINK, author_icon: LINK },
    { description: 'x' },
  ],
  ['an image', { image_url: LINK }, { image: { url: LINK } }],
  ['a thumbnail', { thumb_url: LINK }, { thumbnail: { url: LINK } }],
  [
    'pictures that are not of the web',
    { text: 'x', image_url: NO_LINK, thumb_url: 'x' },
    { description: 'x' },
  ],
  ['nothing', {}, undefined],
  ['a colour alone', { color: '#36a64f' }, undefined],
  ['a time alone', { ts: 1700000000 }, undefined],
  ['a colour and a time', { color: '#36a64f', ts: 1 }, undefined],
  ['blanks', { text: ' ', title: '\n', footer: '', author_name: ' ' }, undefined],
  ['a fields list of nothing', { fields: [] }, undefined],
  ['unknown members', { actions: [{}], mrkdwn_in: ['text'], callback_id: 'x' }, undefined],
];

export function chatcompatRows(suite: TestSuite): void {
  async function open() {
    const hook = await openHook(suite, { name: 'Build', avatar: png(2, 6).toString('base64') });
    const send = (body: unknown) => suite.api.post(`${hook.path}/chatcompat`, body);
    /** What a payload becomes. */
    const shown = async (body: unknown): Promise<Message> => {
      const reply = await send(body);
      expect([reply.status, reply.text], JSON.stringify(body).slice(0, 200)).toEqual([200, 'ok']);
      const [message] = await hook.messages();
      if (message === undefined) throw new Error('no message');
      return message;
    };
    return { ...hook, send, shown };
  }

  describe('a chat-tool attachment', () => {
    it('becomes the embed of its row', async () => {
      const { shown } = await open();
      for (const [what, attachment, embed] of ROWS) {
        const { embeds } = await shown({ text: what, attachments: [attachment] });
        expect(embeds.map(withoutNoFields), what).toEqual(
          embed === undefined ? [] : [{ type: 'rich', ...embed }],
        );
      }
    });

    it('keeps the fields that have a title and a value', async () => {
      const { shown } = await open();
      const fields = [
        { title: 'a', value: 'b' },
        { title: 'a', value: 'b', short: true },
        { title: 'a', value: 'b', short: 'true' },
        { title: 'a', value: 'b', short: 'True' },
        { title: 'a', value: 'b', short: 1 },
        { title: 'a', value: 'b', short: 'yes' },
        { title: 'a', value: 'b', short: 0 },
        { title: 5, value: true },
        { title: 0, value: false },
        { title: 'a' },
        { value: 'b' },
        { title: '', value: 'b' },
        { title: 'a', value: ' ' },
        { title: null, value: 'b' },
        { title: {}, value: 'b' },
        null,
        'x',
      ];
      const { embeds } = await shown({ attachments: [{ fields }] });
      const found = embeds[0]?.fields?.map(({ name, value, inline }) => [name, value, inline ?? false]);
      const inlines = [false, true, true, true, true, false, false].map((inline) => ['a', 'b', inline]);
      expect(found).toEqual([...inlines, ['5', 'true', false], ['0', 'false', false]]);
    });

    it('is cut and not lost to its length', async () => {
      const { shown } = await open();
      const long = 'é'.repeat(5000);
      const cut = (length: number) => `${'é'.repeat(length - 3)}...`;
      const first = await shown({ attachments: [{ title: long, footer: 'f' }] });
      expect(first.embeds[0]?.title).toBe(cut(256));
      expect((await shown({ attachments: [{ text: long }] })).embeds[0]?.description).toBe(cut(4096));
      expect((await shown({ attachments: [{ footer: long }] })).embeds[0]?.footer?.text).toBe(cut(2048));
      expect((await shown({ attachments: [{ author_name: long }] })).embeds[0]?.author?.name).toBe(cut(256));
      const fields = Array(30).fill({ title: 'n', value: 'v' });
      expect((await shown({ attachments: [{ fields }] })).embeds[0]?.fields).toHaveLength(25);
      const field = await shown({ attachments: [{ fields: [{ title: long, value: long }] }] });
      expect(field.embeds[0]?.fields).toMatchObject([{ name: cut(256), value: cut(1024) }]);
      const many = Array.from({ length: 12 }, (_, n) => ({ text: `${n}` }));
      expect((await shown({ attachments: many })).embeds.map(({ description }) => description)).toEqual(
        many.slice(0, 10).map(({ text }) => text),
      );
    });

    it('gives way, the last first, where all are above 6,000 characters', async () => {
      const { shown } = await open();
      const attachments = [
        { text: 'a'.repeat(4000) },
        { text: 'b'.repeat(1500) },
        { text: 'c'.repeat(3000) },
      ];
      const { embeds } = await shown({ attachments });
      const texts = embeds.map(({ description = '' }) => description);
      expect(texts.slice(0, 2)).toEqual(['a'.repeat(4000), 'b'.repeat(1500)]);
      expect(texts.join('').length).toBeLessThanOrEqual(6000);
    });
  });

  describe('a chat-tool payload', () => {
    it('is a text, trimmed and as it is written, under a name', async () => {
      const { shown, webhook } = await open();
      const text = ' *bold* <https://a.example|x> &amp; :smile: <!here> ';
      expect(await shown({ text, username: ' Alerts ', icon_url: LINK, icon_emoji: ':x:' })).toMatchObject({
        content: text.trim(),
        author: { id: webhook.id, username: 'Alerts', avatar: webhook.avatar },
        embeds: [],
      });
      for (const username of [undefined, null, '', ' ', 5])
        expect((await shown({ text: 'x', username })).author.username).toBe('Build');
      expect((await shown({ text: 'x', username: '😀'.repeat(80) })).author.username).toBe('😀'.repeat(80));
      expect((await shown({ text: ` ${'é'.repeat(4000)} ` })).content).toHaveLength(4000);
      expect((await shown({ text: 5, attachments: [{ title: 'x' }, null, 5, 'x'] })).embeds).toHaveLength(1);
    });

    it('makes a second message when it is repeated', async () => {
      const { shown, messages } = await open();
      const body = { text: 'x', nonce: '1' };
      expect((await shown(body)).id).not.toBe((await shown(body)).id);
      expect(await messages()).toHaveLength(2);
    });

    it('is refused when it yields nothing, is too long or misnamed', async () => {
      const { send, messages } = await open();
      const nothing = [
        {},
        { text: '' },
        { text: ' \n' },
        { text: null },
        { attachments: [{ color: '#ffffff' }] },
      ];
      for (const body of [...nothing, { attachments: 'x' }, { username: 'x' }, { text: 5 }])
        expectError(await send(body), 400, 'BAD_REQUEST');
      expectError(await send({ text: 'é'.repeat(4001) }), 400, 'INVALID_FORM_BODY');
      expectError(await send({ text: 'x', username: 'é'.repeat(81) }), 400, 'INVALID_FORM_BODY');
      for (const body of ['', '{', '[]', 'null', '"x"', 'payload=', 'payload={', 'text=x'])
        expectError(await send(body), 400, 'INVALID_FORM_BODY');
      expect(await messages()).toEqual([]);
    });
  });
}

/** A stored embed may say that it has no fields. */
function withoutNoFields<T extends { fields?: unknown[] }>({ fields, ...embed }: T) {
  return fields === undefined || fields.length === 0 ? embed : { ...embed, fields };
}
