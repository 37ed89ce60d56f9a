import { describe, expect, it } from 'vitest';
import { type Entries, expectError } from '../support/expect-error.ts';
import { type Hook, newcomer, newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';

const text = (length: number) => '😀'.repeat(length);

/** What an execution may not hold, and what is said about it. */
const REFUSED: [string, object, Entries][] = [
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

const WRONG_TYPES: [string, object, string][] = [
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

export function executeRules(suite: TestSuite): void {
  describe('an execution', () => {
    it.each(REFUSED)(
      'with %s is refused, whatever wait says, and posts nothing',
      async (_, body, entries) => {
        const hook = await newHook(suite.api);
        for (const query of ['', '?wait=true']) {
          expectError(await hook.execute(body, query), 400, 'INVALID_FORM_BODY', entries);
        }
        expect(await hook.messages()).toHaveLength(0);
      },
    );

    it.each(['   ', text(81)])('under the name "%s" is refused', async (username) => {
      const hook = await newHook(suite.api);
      const { errors = [] } = expectError(
        await hook.execute({ content: 'x', username }),
        400,
        'INVALID_FORM_BODY',
      );
      expect(errors.map(({ path }) => path)).toEqual(['username']);
      expect(['STRING_LENGTH_INVALID', 'WEBHOOK_NAME_LENGTH_INVALID']).toContain(errors[0]?.code);
    });

    it('with 26 fields is refused', async () => {
      const hook = await newHook(suite.api);
      const fields = Array(26).fill({ name: 'n', value: 'v' });
      const { errors = [] } = expectError(
        await hook.execute({ embeds: [{ fields }] }),
        400,
        'INVALID_FORM_BODY',
      );
      expect(errors.map(({ path }) => path)).toEqual(['embeds.0.fields']);
    });

    it.each(WRONG_TYPES)('with %s of a wrong type is refused at its place', async (_, body, path) => {
      const hook = await newHook(suite.api);
      const { errors = [] } = expectError(await hook.execute(body), 400, 'INVALID_FORM_BODY');
      expect(errors.map((entry) => entry.path)).toEqual([path]);
    });

    it('with nothing to say is CANNOT_SEND_EMPTY_MESSAGE', async () => {
      const hook = await newHook(suite.api);
      const nothing = [
        {},
        { content: '' },
        { content: ' \n\t ' },
        { embeds: [] },
        { embeds: [{}] },
        { username: 'x' },
        { attachments: [{ id: 0 }] },
      ];
      for (const body of nothing) expectError(await hook.execute(body), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
    });

    it('names each failure of a body', async () => {
      const hook = await newHook(suite.api);
      const body = {
        content: text(4001),
        username: text(81),
        embeds: [{ title: 'x' }, { title: text(257), color: -1 }],
      };
      const { errors = [] } = expectError(await hook.execute(body), 400, 'INVALID_FORM_BODY');
      const paths = errors.map(({ path }) => path).sort();
      expect(paths).toEqual(['content', 'embeds.1.color', 'embeds.1.title', 'username']);
    });

    it('takes every bound itself', async () => {
      const hook = await newHook(suite.api);
      expect((await hook.say({ content: ` \n${text(4000)}\n ` })).content).toBe(text(4000));
      const named = await hook.say({ content: 'x', username: `  ${text(80)}  ` });
      expect(named.author.username).toBe(text(80));
      const full = {
        title: text(256),
        description: text(4096),
        url: link(2048),
        color: 16777215,
        timestamp: '2026-01-02T03:04:05Z',
        author: { name: text(256), url: 'https://a.example/' },
        image: { url: 'https://a.example/i.png' },
        thumbnail: { url: 'https://a.example/t.png' },
      };
      const [stored] = (await hook.say({ embeds: [full] })).embeds;
      expect(stored).toMatchObject({
        ...full,
        type: 'rich',
        timestamp: expect.stringMatching(/^2026-01-02T03:04:05/),
      });
      const fields = Array.from({ length: 25 }, (_, n) => ({
        name: `n${n}`,
        value: 'v',
        inline: n % 2 === 0,
      }));
      expect((await hook.say({ embeds: [{ fields, color: 0 }] })).embeds[0]).toMatchObject({
        fields,
        color: 0,
      });
      const footed = await hook.say({ embeds: [{ footer: { text: text(2048) } }] });
      expect(footed.embeds[0]).toMatchObject({ footer: { text: text(2048) } });
      const sixThousand = [{ description: text(4000) }, { description: text(2000) }];
      expect((await hook.say({ embeds: sixThousand })).embeds).toHaveLength(2);
      expect((await hook.say({ embeds: Array(10).fill({ title: 'x' }) })).embeds).toHaveLength(10);
      expect(
        (await hook.say({ content: 'x', embeds: [{}, { title: 'y' }] })).embeds,
        'nothing is no embed',
      ).toHaveLength(1);
    });

    it('keeps the sendable flags and masks the others off', async () => {
      const hook = await newHook(suite.api);
      expect((await hook.say({ content: 'x', flags: 4 | 4096 | 1 | 64 })).flags).toBe(4100);
    });

    it('ignores what a webhook cannot do', async () => {
      const hook = await newHook(suite.api);
      const ignored = [
        {
          attachments: [{ id: 0, filename: 'x' }],
          message_reference: { message_id: '1' },
          sticker_ids: ['1'],
          nonce: 'n',
          tts: true,
          avatar_url: 'https://a.example/x.png',
        },
        {
          attachments: 'x',
          message_reference: 7,
          sticker_ids: {},
          nonce: {},
          tts: 'maybe',
          avatar_url: false,
          components: [],
        },
      ];
      for (const extra of ignored) {
        const message = await hook.say({ content: 'x', ...extra });
        expect(message).toMatchObject({ attachments: [], tts: false, type: 0, author: { avatar: null } });
        expect(message.nonce ?? null).toBeNull();
      }
    });

    it('waits for the message with wait=true, True and 1 only', async () => {
      const hook = await newHook(suite.api);
      for (const wait of ['true', 'True', '1']) {
        expect([wait, (await hook.execute({ content: wait }, `?wait=${wait}`)).status]).toEqual([wait, 200]);
      }
      for (const query of [
        '',
        '?',
        '?wait',
        '?wait=',
        '?wait=false',
        '?wait=TRUE',
        '?wait=yes',
        '?wait=0',
        '?wait=01',
        '?wait=%zz',
        '?Wait=true',
        '?unknown=1',
      ]) {
        const reply = await hook.execute({ content: 'x' }, query);
        expect([query, reply.status, reply.text]).toEqual([query, 204, '']);
      }
      expect([200, 204]).toContain((await hook.execute({ content: 'x' }, '?wait=true&wait=false')).status);
      expect(
        (await hook.execute({ content: 'x' }, '?thread_id=1&with_components=false&wait=true')).status,
      ).toBe(200);
    });
  });

  describe('the mentions of an execution', () => {
    const mention = ({ owner }: Hook) => `<@${owner.user.id}> <@!${owner.user.id}> @everyone @here`;

    it('notify nobody unless allowed_mentions says so', async () => {
      const hook = await newHook(suite.api);
      const bodies = [
        {},
        { allowed_mentions: {} },
        { allowed_mentions: { parse: [] } },
        { allowed_mentions: { parse: ['roles'] } },
      ];
      for (const body of bodies) {
        const message = await hook.say({ content: mention(hook), ...body });
        expect(message).toMatchObject({
          content: mention(hook),
          mentions: [],
          mention_everyone: false,
          mention_roles: [],
        });
      }
    });

    it('notify whom it names', async () => {
      const hook = await newHook(suite.api);
      const say = (allowed_mentions: object) => hook.say({ content: mention(hook), allowed_mentions });
      const { id } = hook.owner.user;
      expect(await say({ parse: ['users'] })).toMatchObject({ mentions: [{ id }], mention_everyone: false });
      expect(await say({ parse: ['everyone'] })).toMatchObject({ mentions: [], mention_everyone: true });
      expect(await say({ users: [id] })).toMatchObject({ mentions: [{ id }], mention_everyone: false });
      const stranger = await newcomer(suite.api);
      expect(await say({ users: [stranger.user.id] })).toMatchObject({ mentions: [] });
      expect(
        await hook.say({
          content: '<@1> <@&1> <@x> <@',
          allowed_mentions: { parse: ['users', 'roles', 'everyone'] },
        }),
      ).toMatchObject({
        mentions: [],
        mention_roles: [],
        mention_everyone: false,
      });
    });

    it('cannot be given both ways', async () => {
      const hook = await newHook(suite.api);
      const code = 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER';
      for (const allowed_mentions of [
        { parse: ['users'], users: ['1'] },
        { parse: ['everyone'], roles: ['1'] },
      ]) {
        expectError(await hook.execute({ content: 'x', allowed_mentions }), 400, code, {
          allowed_mentions: code,
        });
      }
      for (const allowed_mentions of [
        { parse: [], users: ['1'] },
        { parse: ['users'], users: [], roles: [] },
      ]) {
        expect((await hook.execute({ content: 'x', allowed_mentions })).status).toBe(204);
      }
    });
  });
}

function embed(part: object): object {
  return { embeds: [part] };
}

function field(part: object): object {
  return embed({ fields: [{ name: 'n', value: 'v', ...part }] });
}

function link(length: number): string {
  return 'https://a.example/'.padEnd(length, 'x');
}
