import type { Fault } from '@gatehouse/kit/fault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChatcompatMessage, renderChatcompat } from '../../src/chatcompat/render.ts';
import { messageFaults } from '../fixtures/message-faults.ts';
import { EMPTY_EMBED, embedsOf, messageOf, violationsOf } from './chatcompat-fixtures.ts';

describe('members that are absent, of a wrong type, null, empty or blank', () => {
  it.each([
    {},
    { text: null },
    { text: '' },
    { text: ' \n\t' },
    { text: 5 },
    { text: ['a'] },
    { username: 'somebody' },
    { attachments: null },
    { attachments: {} },
    { attachments: 'x' },
    { attachments: [] },
    { attachments: [null, 1, 'x', [], {}] },
    { attachments: [{ color: '#36a64f' }] },
    { attachments: [{ ts: 1_700_000_000 }] },
    { attachments: [{ color: '#36a64f', ts: 1_700_000_000 }] },
    { attachments: [{ text: ' ', title: '\n', footer: '', author_name: ' ', fields: [] }] },
    { attachments: [{ title: 42, text: {}, fields: {}, footer: [], author_name: true, image_url: 1 }] },
    { attachments: [{ author_link: 'https://x.test', author_icon: 'https://x.test' }] },
    { icon_url: 'https://x.test/i.png' },
    { blocks: [{ type: 'section' }] },
  ])('%j has nothing to show', (payload) => {
    expect(renderChatcompat(payload)).toEqual({ nothing: 'empty' });
  });

  it('inherited members of a payload are ignored', () => {
    expect(renderChatcompat(Object.create({ text: 'inherited' }))).toEqual({ nothing: 'empty' });
    expect(renderChatcompat(JSON.parse('{"__proto__": {"text": "own"}}'))).toEqual({ nothing: 'empty' });
  });

  it.each([null, '', '  ', 7, ['x']])('username %j counts as absent', (username) => {
    expect(messageOf({ text: 'x', username })?.username).toBeUndefined();
  });

  it('null attachments are skipped', () => {
    expect(embedsOf(null, { title: 'T' }, null)).toHaveLength(1);
  });
});

describe('text and username', () => {
  it('are trimmed', () => {
    expect(messageOf({ text: ' hello ', username: ' Bot ' })).toMatchObject({
      content: 'hello',
      username: 'Bot',
    });
  });

  it('of 4,000 and 80 code points are accepted, longer ones are refused', () => {
    const most = { text: ` ${'🚪'.repeat(4000)} `, username: ` ${'🚪'.repeat(80)} ` };
    expect(messageOf(most)).toMatchObject({
      content: most.text.trim(),
      username: most.username.trim(),
    });
    expect(violationsOf({ text: 'x'.repeat(4001), username: 'x'.repeat(81) })).toEqual([
      'text CONTENT_EXCEEDS_MAX_LENGTH',
      'username WEBHOOK_NAME_LENGTH_INVALID',
    ]);
  });

  it('that cannot be stored are refused, also in attachments', () => {
    const attachments = [null, { title: 'a\u0000', fields: [{ title: 'x', value: 'b\u0000' }] }];
    expect(violationsOf({ text: 'a\u0000b', username: '\u0000c', attachments })).toEqual([
      'text INVALID_FORMAT',
      'username INVALID_FORMAT',
      'attachments.1.title INVALID_FORMAT',
      'attachments.1.fields.0.value INVALID_FORMAT',
    ]);
  });
});

it('a lone surrogate becomes U+FFFD', () => {
  const attachments = [{ title: 'a\ud800', fields: [{ title: 'x', value: '\udc00' }] }];
  expect(messageOf({ text: 'b\ud83d', username: '\ud83dc', attachments })).toMatchObject({
    content: 'b\ufffd',
    username: '\ufffdc',
    embeds: [{ title: 'a\ufffd', fields: [{ value: '\ufffd' }] }],
  });
});

describe('an alert is never lost because of its length', () => {
  it('parts over their limits are cut, with the dots inside the limit', () => {
    const long = '🚪'.repeat(5000);
    expect(embedsOf({ title: long })[0]?.title).toBe(`${'🚪'.repeat(253)}...`);
    expect(embedsOf({ pretext: 'x'.repeat(3000), text: 'y'.repeat(3000) })[0]?.description).toBe(
      `${'x'.repeat(3000)}\n${'y'.repeat(1092)}...`,
    );
    expect(embedsOf({ fallback: long })[0]?.description).toBe(`${'🚪'.repeat(4093)}...`);
    expect(embedsOf({ footer: long })[0]?.footer?.text).toBe(`${'🚪'.repeat(2045)}...`);
    expect(embedsOf({ author_name: long })[0]?.author?.name).toBe(`${'🚪'.repeat(253)}...`);
    expect(embedsOf({ fields: [{ title: long, value: long }] })[0]?.fields).toEqual([
      { name: `${'🚪'.repeat(253)}...`, value: `${'🚪'.repeat(1021)}...`, inline: false },
    ]);
  });

  it('attachments after the tenth and fields after the twenty-fifth are dropped', () => {
    const fields = Array.from({ length: 40 }, (_, n) => ({ title: `${n}`, value: 'v' }));
    const embeds = embedsOf({ fields }, ...Array.from({ length: 11 }, (_, n) => ({ title: `${n}` })));
    expect(embeds).toHaveLength(10);
    expect(embeds[0]?.fields.map(({ name }) => name)).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
    expect(embeds.at(-1)?.title).toBe('8');
  });

  it('items without content do not count towards the ten or the twenty-five', () => {
    const blank = { title: 'no value' };
    const fields = [...Array(30).fill(blank), { title: 'Status', value: 'down' }];
    const embeds = embedsOf(...Array(30).fill({ color: '#36a64f' }), { fields });
    expect(embeds.map((embed) => embed.fields)).toEqual([[{ name: 'Status', value: 'down', inline: false }]]);
  });

  it('above 6,000 characters in total, the last embeds are cut first', () => {
    const [first, second, third, fourth] = embedsOf(
      { text: 'a'.repeat(4000) },
      { title: 'b', text: 'b'.repeat(1989), footer: 'end' },
      { title: 'third', image_url: 'https://x.test/i.png' },
      { title: 'fourth' },
    );
    expect(first?.description).toBe('a'.repeat(4000));
    expect(second).toMatchObject({ title: 'b', description: 'b'.repeat(1989), footer: { text: 'end' } });
    expect(third).toEqual({ ...EMPTY_EMBED, title: 'third', image: { url: 'https://x.test/i.png' } });
    expect(fourth).toBeUndefined();
  });

  it('a single attachment over the limit keeps its beginning', () => {
    const fields = Array.from({ length: 25 }, () => ({ title: 'n'.repeat(100), value: 'v'.repeat(900) }));
    const [embed] = embedsOf({ title: 'T', text: 'x'.repeat(4096), fields, footer: 'F' });
    expect(embed?.description).toBe('x'.repeat(4096));
    expect(embed?.fields).toHaveLength(2);
    expect(embed?.fields[1]?.value).toBe(`${'v'.repeat(800)}...`);
    expect(embed?.footer).toBeNull();
  });
});

it('any payload renders within the limits of a message, is refused, or has nothing to show', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer({ min: 0, max: 5000 }).map((length) => '🚪'.repeat(length)),
  );
  const value = fc.oneof(text, fc.jsonValue(), fc.constant('https://x.test/'), fc.constant('#123456'));
  const attachment = fc.record(
    Object.fromEntries(
      [
        ...['pretext', 'text', 'fallback', 'color', 'title', 'title_link', 'footer', 'ts'],
        ...['author_name', 'author_link', 'author_icon', 'image_url', 'thumb_url'],
      ].map((name) => [name, value]),
    ),
    { requiredKeys: [] },
  );
  const fields = fc.array(fc.oneof(value, fc.record({ title: value, value, short: value })), {
    maxLength: 30,
  });
  const attachments = fc.array(
    fc.oneof(
      value,
      fc.tuple(attachment, fields).map(([rest, list]) => ({ ...rest, fields: list })),
    ),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(
      fc.record(
        { text: value, username: value, attachments: fc.oneof(attachments, value) },
        { requiredKeys: [] },
      ),
      (payload) => {
        const message = rendered(payload);
        if (message !== undefined) expect(messageFaults(message)).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

function rendered(payload: Record<string, unknown>): ChatcompatMessage | undefined {
  try {
    return messageOf(payload);
  } catch (error) {
    expect((error as Fault).reason).toBe('INVALID_FORM_BODY');
    return undefined;
  }
}
