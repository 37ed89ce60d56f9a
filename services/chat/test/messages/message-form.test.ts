import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { CreateWebhookMessageRequest, EmbedInput, Message } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AddedGuild, addAccount, addGuild } from '../support/guilds.ts';
import { as, embedOf, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
let home: AddedGuild;
beforeAll(async () => {
  fixture = await startChat('chat_message_form');
  home = await addGuild(fixture);
});
afterAll(() => fixture.close());

const call = (message: Partial<CreateWebhookMessageRequest> | string) =>
  fixture.chat.createWebhookMessage(webhookMessageOf(home.general, message), internally);

async function post(message: Partial<CreateWebhookMessageRequest> | string): Promise<Message> {
  const { message: posted } = await call(message);
  if (!posted) throw new Error('nothing was posted');
  return posted;
}

/** The stored embed, the same in the answer and when read back. */
async function postEmbed(embed: Partial<EmbedInput>): Promise<Message['embeds'][number] | undefined> {
  const posted = await post({ content: 'x', embeds: [embedOf(embed)] });
  const { message } = await fixture.chat.getWebhookMessage(
    { webhook_id: '77', channel_id: home.general, message_id: posted.id },
    internally,
  );
  expect(message).toEqual(posted);
  return posted.embeds[0];
}

const a = (length: number) => 'a'.repeat(length);
const url = (length: number) => `http://h/${a(length - 9)}`;
const field = { name: 'n', value: 'v' };

describe('content', () => {
  test('is trimmed and has up to 4,000 code points', async () => {
    const content = '🙂'.repeat(4000);
    expect((await post(` \n${content}\t`)).content).toBe(content);
  });

  test.each([
    ['one emoji over 4,000', '🙂'.repeat(4001), ['content CONTENT_EXCEEDS_MAX_LENGTH']],
    ['one over 4,000', a(4001), ['content CONTENT_EXCEEDS_MAX_LENGTH']],
    ['a NUL', 'a\0b', ['content INVALID_FORMAT']],
  ])('is refused with %s', async (_, content, violations) => {
    expect(await violationsOf(call(content))).toEqual(violations);
  });

  test.each([
    ['nothing', {}],
    ['a blank text', { content: ' \n\t ' }],
    ['an embed with nothing in it', { embeds: [embedOf({})] }],
    ['an embed with blank texts', { embeds: [embedOf({ title: ' ', description: '', url: '' })] }],
    ['only a color and a timestamp', { embeds: [embedOf({ color: 5, timestamp: '2024-01-01' })] }],
    ['an author without a name', { embeds: [embedOf({ author: { url: 'http://h/' } })] }],
    ['a footer without a text', { embeds: [embedOf({ footer: { icon_url: 'http://h/' } })] }],
  ])('of %s makes no message', async (_, message) => {
    const fault = await faultOf(call(message));
    expect(fault.reason).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect(fault.violations.map(({ path, code }) => [path, code])).toEqual([
      ['root', 'CANNOT_SEND_EMPTY_MESSAGE'],
    ]);
  });

  test.each([
    '\u202egpj.exe',
    '\u200b\u2066x\u2069',
    'a\r\nSet-Cookie: x=1',
    '<script>alert(1)</script>',
    "'; DROP TABLE messages; --",
    '#{7*7} {{7*7}} %s %n',
    '\u0001\u001b[31m\u007f',
    '👩‍👩‍👧‍👦 ﷽ Z̷̢͎a̸l̵g̶o̷',
    '__proto__',
  ])('is kept unchanged, as a name and a title are: %j', async (text) => {
    const { content, author, embeds } = await post({
      content: text,
      username: text,
      embeds: [embedOf({ title: text })],
    });
    expect([content, author?.username, embeds[0]?.title]).toEqual([text, text, text]);
  });

  test('may be absent if there is an embed', async () => {
    const message = await post({ embeds: [embedOf({ title: 't' })] });
    expect(message).toMatchObject({ content: '', embeds: [{ type: 'rich', title: 't', fields: [] }] });
  });
});

describe('flags', () => {
  test.each([
    [undefined, 0],
    [0, 0],
    [4, 4],
    [4096, 4096],
    [4100, 4100],
    [2 ** 53 - 1, 4100],
    [64 + 4, 4],
    [2 ** 40, 0],
  ])('%j are stored as %j', async (flags, stored) => {
    expect((await post({ content: 'x', flags })).flags).toBe(stored);
  });
});

describe('the posting name', () => {
  test.each([
    [' Deploys ', 'Deploys'],
    [a(80), a(80)],
    [`  ${'🙂'.repeat(80)}  `, '🙂'.repeat(80)],
  ])('%j is taken', async (username, taken) => {
    expect((await post({ content: 'x', username })).author?.username).toBe(taken);
  });

  test.each(['', '  ', a(81), '🙂'.repeat(81)])('%j is refused', async (username) => {
    expect(await violationsOf(call({ content: 'x', username }))).toEqual([
      'username WEBHOOK_NAME_LENGTH_INVALID',
    ]);
  });
});

describe('an embed', () => {
  const full: EmbedInput = {
    title: 'Title',
    description: ' Description ',
    url: 'https://example.org/a?b=c#d',
    color: 0xffffff,
    timestamp: '2024-02-29T12:00:00+02:00',
    author: { name: 'Author', url: 'http://example.org', icon_url: 'http://example.org/i' },
    footer: { text: 'Footer', icon_url: 'https://example.org/f' },
    image: { url: 'https://example.org/image.png' },
    thumbnail: { url: 'https://example.org/thumb.png' },
    fields: [
      { name: 'a', value: 'b', inline: true },
      { name: ' ', value: ' ' },
    ],
  };

  test('is stored completely, as type "rich", with unchanged texts and its timestamp in UTC', async () => {
    expect(await postEmbed(full)).toEqual({
      ...full,
      type: 'rich',
      timestamp: '2024-02-29T10:00:00.000Z',
      image: { url: 'https://example.org/image.png', proxy_url: null },
      thumbnail: { url: 'https://example.org/thumb.png', proxy_url: null },
      fields: [
        { name: 'a', value: 'b', inline: true },
        { name: ' ', value: ' ', inline: false },
      ],
    });
  });

  const withFields = (count: number) => ({ fields: Array.from({ length: count }, () => field) });
  test.each<[string, Partial<EmbedInput>, Partial<EmbedInput>, string]>([
    ['title', { title: a(256) }, { title: a(257) }, 'title STRING_LENGTH_INVALID'],
    ['description', { description: a(4096) }, { description: a(4097) }, 'description STRING_LENGTH_INVALID'],
    ['url', { url: url(2048) }, { url: url(2049) }, 'url URL_LENGTH_INVALID'],
    ['lowest color', { title: 't', color: 0 }, { title: 't', color: -1 }, 'color COLOR_VALUE_TOO_LOW'],
    [
      'highest color',
      { title: 't', color: 16777215 },
      { title: 't', color: 16777216 },
      'color COLOR_VALUE_TOO_HIGH',
    ],
    [
      'author',
      { author: { name: a(256) } },
      { author: { name: a(257) } },
      'author.name STRING_LENGTH_INVALID',
    ],
    [
      'author url',
      { author: { name: 'n', url: url(2048) } },
      { author: { name: 'n', url: url(2049) } },
      'author.url URL_LENGTH_INVALID',
    ],
    [
      'author icon',
      { author: { name: 'n', icon_url: url(2048) } },
      { author: { name: 'n', icon_url: url(2049) } },
      'author.icon_url URL_LENGTH_INVALID',
    ],
    [
      'footer',
      { footer: { text: a(2048) } },
      { footer: { text: a(2049) } },
      'footer.text STRING_LENGTH_INVALID',
    ],
    ['image', { image: { url: url(2048) } }, { image: { url: url(2049) } }, 'image.url URL_LENGTH_INVALID'],
    [
      'thumbnail',
      { thumbnail: { url: url(2048) } },
      { thumbnail: { url: url(2049) } },
      'thumbnail.url URL_LENGTH_INVALID',
    ],
    ['fields', withFields(25), withFields(26), 'fields INVALID_FORMAT'],
    [
      'field name',
      { fields: [{ ...field, name: a(256) }] },
      { fields: [{ ...field, name: a(257) }] },
      'fields.0.name STRING_LENGTH_INVALID',
    ],
    [
      'shortest field name',
      { fields: [{ ...field, name: 'a' }] },
      { fields: [{ ...field, name: '' }] },
      'fields.0.name STRING_LENGTH_INVALID',
    ],
    [
      'field value',
      { fields: [{ ...field, value: a(1024) }] },
      { fields: [{ ...field, value: a(1025) }] },
      'fields.0.value STRING_LENGTH_INVALID',
    ],
    [
      'shortest field value',
      { fields: [{ ...field, value: 'a' }] },
      { fields: [{ name: 'n' }] },
      'fields.0.value STRING_LENGTH_INVALID',
    ],
  ])('may reach its limit and not exceed it: %s', async (_, atLimit, over, violation) => {
    expect(await postEmbed(atLimit)).toBeDefined();
    expect(await violationsOf(call({ embeds: [embedOf(over)] }))).toEqual([`embeds.0.${violation}`]);
  });

  test('counts code points', async () => {
    expect((await postEmbed({ title: '🙂'.repeat(256) }))?.title).toBe('🙂'.repeat(256));
  });

  test.each([
    'ftp://h/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'file:///x',
    'example.org',
    '//example.org',
    'http:example.org',
    'http://',
    'http://a b/',
    'attachment://x.png',
    'http://h/\0',
  ])('cannot have the URL %j', async (bad) => {
    const embed = embedOf({ url: bad, image: { url: bad }, author: { name: 'n', icon_url: bad } });
    expect(await violationsOf(call({ embeds: [embed] }))).toEqual([
      'embeds.0.url INVALID_URL_FORMAT',
      'embeds.0.author.icon_url INVALID_URL_FORMAT',
      'embeds.0.image.url INVALID_URL_FORMAT',
    ]);
  });

  test.each([
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00.1Z', '2024-01-01T00:00:00.100Z'],
    ['2024-01-01T00:00:00.123456+00:00', '2024-01-01T00:00:00.123Z'],
    ['2024-01-01T00:30:00-0530', '2024-01-01T06:00:00.000Z'],
    ['2024-01-01T00:30:00+01', '2023-12-31T23:30:00.000Z'],
    ['2024-01-01T00:00', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-09-24 23:51:35.527', '2024-09-24T23:51:35.527Z'],
  ])('accepts the timestamp %j as %j', async (given, taken) => {
    expect((await postEmbed({ title: 't', timestamp: given }))?.timestamp).toBe(taken);
  });

  test.each([
    'now',
    '1704067200',
    '2024-02-30T00:00:00Z',
    '2024-13-01',
    '2024-01-01T24:00:01Z',
    '2024-01-01T00:00:61Z',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01  00:00',
    '9999-12-31T23:00:00-02:00',
    '0000-01-01T00:00:00+01:00',
  ])('cannot have the timestamp %j', async (timestamp) => {
    expect(await violationsOf(call({ embeds: [embedOf({ title: 't', timestamp })] }))).toEqual([
      'embeds.0.timestamp INVALID_ISO_TIMESTAMP',
    ]);
  });

  test('cannot have a NUL in any text', async () => {
    const embed = embedOf({
      title: '\0',
      description: '\0',
      author: { name: '\0' },
      footer: { text: '\0' },
      fields: [{ name: '\0', value: '\0' }],
    });
    expect(await violationsOf(call({ content: '\0', username: '\0', embeds: [embed] }))).toEqual(
      [
        'username',
        'content',
        ...['title', 'description', 'author.name', 'footer.text', 'fields.0.name', 'fields.0.value'].map(
          (path) => `embeds.0.${path}`,
        ),
      ].map((path) => `${path} INVALID_FORMAT`),
    );
  });
});

describe('embeds together', () => {
  const many = (count: number) => Array.from({ length: count }, () => embedOf({ title: 't' }));

  test('are at most ten', async () => {
    expect((await post({ embeds: many(10) })).embeds).toHaveLength(10);
    expect(await violationsOf(call({ embeds: many(11) }))).toEqual(['embeds TOO_MANY_EMBEDS']);
  });

  test('are stored without the empty ones', async () => {
    const { embeds } = await post({
      embeds: [embedOf({}), embedOf({ title: 'kept' }), embedOf({ color: 1 })],
    });
    expect(embeds.map(({ title }) => title)).toEqual(['kept']);
  });

  test('have at most 6,000 characters of text, without URLs', async () => {
    const rest = embedOf({
      title: a(100),
      url: url(2048),
      author: { name: a(100), url: url(2048) },
      footer: { text: a(100) },
      fields: [{ name: a(100), value: a(1000) }],
    });
    const filled = (length: number) => [
      embedOf({ description: a(4096) }),
      rest,
      embedOf({ title: a(length) }),
    ];
    expect((await post({ embeds: filled(256) })).embeds).toHaveLength(3);
    const exact = [...filled(248), embedOf({ title: a(256) })]; // 4096 + 1400 + 248 + 256
    expect((await post({ embeds: exact })).embeds).toHaveLength(4);
    expect(await violationsOf(call({ embeds: [...filled(249), embedOf({ title: a(256) })] }))).toEqual([
      'embeds EMBEDS_EXCEED_MAX_CHARACTERS',
    ]);
  });
});

test('may have ASCII URLs of any length, and are limited in bytes beyond', async () => {
  const urls = (text: string) =>
    Array.from({ length: 10 }, (_, n) =>
      embedOf({
        title: String(n),
        url: text,
        author: { name: 'x', url: text, icon_url: text },
        footer: { text: 'x', icon_url: text },
        image: { url: text },
        thumbnail: { url: text },
      }),
    );
  expect((await post({ embeds: urls(url(2048)) })).embeds).toHaveLength(10);
  const wide = `https://a/${'😀'.repeat(2038)}`;
  expect(await violationsOf(call({ embeds: urls(wide) }))).toEqual(['embeds EMBEDS_EXCEED_MAX_CHARACTERS']);
  expect((await post({ embeds: urls(wide).slice(0, 3) })).embeds).toHaveLength(3);
});

test('reports every violation, with one entry each', async () => {
  const refused = call({
    username: a(81),
    content: a(4001),
    embeds: [
      embedOf({ title: a(257), color: -1 }),
      embedOf({ url: 'nowhere', timestamp: 'never', fields: [{}, field, { ...field, name: a(300) }] }),
    ],
    allowed_mentions: { parse: ['users', 'cats'], users: [], roles: [] },
  });
  const fault = await faultOf(refused);
  expect(fault.reason).toBe('INVALID_FORM_BODY');
  expect(fault.violations.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'username WEBHOOK_NAME_LENGTH_INVALID',
    'content CONTENT_EXCEEDS_MAX_LENGTH',
    'embeds.0.title STRING_LENGTH_INVALID',
    'embeds.0.color COLOR_VALUE_TOO_LOW',
    'embeds.1.url INVALID_URL_FORMAT',
    'embeds.1.timestamp INVALID_ISO_TIMESTAMP',
    'embeds.1.fields.0.name STRING_LENGTH_INVALID',
    'embeds.1.fields.0.value STRING_LENGTH_INVALID',
    'embeds.1.fields.2.name STRING_LENGTH_INVALID',
    'allowed_mentions.parse.1 INVALID_FORMAT',
  ]);
  expect(fault.violations.every(({ message }) => message.length > 0)).toBe(true);
});

test('stores nothing when it is refused', async () => {
  const count = async () => (await fixture.sql.query('SELECT count(*) FROM messages')).rows[0].count;
  const before = await count();
  await faultOf(call(a(4001)));
  await faultOf(call({}));
  expect(await count()).toBe(before);
});

describe('an account’s message', () => {
  const send = (message: Parameters<typeof messageOf>[1]) =>
    fixture.chat.createMessage(messageOf(home.general, message), as(home.owner));

  test('has the same form', async () => {
    const message = { content: a(4001), embeds: [embedOf({ title: a(257) })] };
    expect(await violationsOf(send(message))).toEqual([
      'content CONTENT_EXCEEDS_MAX_LENGTH',
      'embeds.0.title STRING_LENGTH_INVALID',
    ]);
    expect(await reasonOf(send(' '))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect((await send({ content: 'x', flags: 64 + 4096 })).message?.flags).toBe(4096);
  });

  test('is checked before permissions, as an edit is', async () => {
    const stranger = as(addAccount(fixture));
    const message = messageOf(home.general, a(4001));
    const violation = ['content CONTENT_EXCEEDS_MAX_LENGTH'];
    expect(await violationsOf(fixture.chat.createMessage(message, stranger))).toEqual(violation);
    const edit = { ...message, message_id: '1', content: { value: a(4001) }, embeds: undefined };
    expect(await violationsOf(fixture.chat.updateMessage(edit, stranger))).toEqual(violation);
    expect(await reasonOf(fixture.chat.createMessage(messageOf(home.general, 'x'), stranger))).toBe(
      'MISSING_ACCESS',
    );
  });

  test('returns its nonce of at most 64 characters', async () => {
    expect((await send({ content: 'x', nonce: a(64) })).message?.nonce).toBe(a(64));
    expect((await send('x')).message?.nonce).toBeNull();
    expect(await violationsOf(send({ content: 'x', nonce: a(65) }))).toEqual(['nonce STRING_LENGTH_INVALID']);
  });
});

describe('a message that is only checked', () => {
  test('is answered by its embeds as they would be stored, and is not posted', async () => {
    const embeds = [embedOf({ title: ' A title ', timestamp: '2026-01-05 09:30', color: 255 })];
    const { message, embeds: checked } = await call({ content: 'x', embeds, check_only: true });
    expect(message).toBeNull();
    const posted = await postEmbed({ title: ' A title ', timestamp: '2026-01-05 09:30', color: 255 });
    expect(checked).toEqual([posted]);
    const newest = async () =>
      (await fixture.chat.listMessages({ channel_id: home.general }, as(home.owner))).messages[0]?.id;
    const before = await newest();
    await call({ content: 'never posted', check_only: true });
    expect(await newest()).toBe(before);
  });

  test('is refused like one that is posted', async () => {
    expect(await violationsOf(call({ content: a(4001), check_only: true }))).toEqual([
      'content CONTENT_EXCEEDS_MAX_LENGTH',
    ]);
  });
});
