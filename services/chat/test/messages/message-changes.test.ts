import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { EmbedInput, UpdateMessageRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, addOverwrite, addRole, newId } from '../support/guilds.ts';
import { channelEvents } from '../support/log.ts';
import { as, embedOf, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_message_changes', 2);
});
afterAll(() => fixture.close());

type Edit = Partial<Omit<UpdateMessageRequest, 'content' | 'embeds'>> & {
  /** Null clears it. */
  readonly content?: string | null;
  readonly embeds?: EmbedInput[];
};

/** An edit in its wire form, which distinguishes absent, null and empty lists. */
function editOf({ content, embeds, ...edit }: Edit) {
  return {
    ...edit,
    content: content === undefined ? null : { value: content },
    embeds: embeds && { items: embeds },
  };
}

/** A message in a guild by one of its members. */
async function posted(message: Parameters<typeof messageOf>[1] = 'old') {
  const home = await addGuild(fixture);
  const author = await addMember(fixture, home.guild_id);
  const created = await fixture.chat.createMessage(messageOf(home.general, message), as(author));
  const message_id = created.message?.id ?? '';
  const ids = { channel_id: home.general, message_id };
  const edit = async (change: Edit, by = author, chat = fixture.chat) =>
    (await chat.updateMessage({ ...ids, ...editOf(change) }, as(by))).message;
  const remove = (by = author, chat = fixture.chat) => chat.deleteMessage(ids, as(by));
  const get = async () => (await fixture.chat.getMessage(ids, as(home.owner))).message;
  return { ...home, ...ids, author, edit, remove, get, message: created.message };
}

const withEmbed = { content: 'old', embeds: [embedOf({ title: 'old' })] };

const changeEvents = async (channel_id: string) =>
  (await channelEvents(fixture, channel_id))
    .filter(({ type }) => type === 'MESSAGE_UPDATE' || type === 'MESSAGE_DELETE')
    .map(({ type, payload }) => [type, payload.id, payload.content]);

describe('an edit', () => {
  test('of the content sets edited_timestamp, for all readers and in the event', async () => {
    const { message, edit, get, channel_id, guild_id } = await posted();
    const edited = await edit({ content: ' new ' });
    expect(edited).toEqual({
      ...message,
      content: 'new',
      edited_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await get()).toEqual(edited);
    const listed = await fixture.chat.listMessages({ channel_id }, as(message?.author?.id ?? ''));
    expect(listed.messages).toEqual([edited]);
    const { rows } = await fixture.sql.query(
      `SELECT account_ids, channel_id, guild_id, payload FROM events WHERE type = 'MESSAGE_UPDATE' AND channel_id = $1`,
      [channel_id],
    );
    expect(rows).toMatchObject([
      { account_ids: null, channel_id, guild_id, payload: { id: edited?.id, content: 'new', channel_id } },
    ]);
    expect(rows[0].payload.edited_at).toBe(edited?.edited_timestamp);
  });

  test('without a field leaves it unchanged', async () => {
    const { message, edit } = await posted(withEmbed);
    const flagged = await edit({ flags: 4 });
    expect(flagged).toEqual({ ...message, flags: 4 });
    const embedded = await edit({ embeds: [embedOf({ title: 'new' })] });
    expect(embedded).toMatchObject({ content: 'old', flags: 4, edited_timestamp: null });
    expect(embedded?.embeds.map(({ title }) => title)).toEqual(['new']);
  });

  test('removes embeds with an empty list, and content with null or a blank text if there are embeds', async () => {
    const one = await posted(withEmbed);
    expect((await one.edit({ embeds: [] }))?.embeds).toEqual([]);
    for (const content of [null, '', ' \n']) {
      const { edit } = await posted(withEmbed);
      expect(await edit({ content })).toMatchObject({ content: '', edited_timestamp: expect.any(String) });
    }
    const { edit } = await posted();
    const moved = await edit({ content: null, embeds: [embedOf({ title: 'instead' })] });
    expect(moved).toMatchObject({ content: '', embeds: [{ title: 'instead' }] });
  });

  test.each<[string, Edit]>([
    ['nothing', {}],
    ['allowed_mentions alone', { allowed_mentions: { parse: [], users: [], roles: [] } }],
    ['no content without an embed', { content: null }],
    ['a blank content without an embed', { content: ' ', flags: 4 }],
    ['no embed and no content', { content: '', embeds: [] }],
    ['no embed if the message has none', { embeds: [] }],
    ['an embed with nothing in it', { embeds: [embedOf({ color: 1 })] }],
  ])('with %s is CANNOT_SEND_EMPTY_MESSAGE', async (_, change) => {
    const { edit, get, message } = await posted();
    expect(await reasonOf(edit(change))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect(await get()).toEqual({ ...message, nonce: null });
  });

  test('that would leave neither content nor embeds is CANNOT_SEND_EMPTY_MESSAGE', async () => {
    const { edit } = await posted({ embeds: [embedOf({ title: 't' })] });
    expect(await reasonOf(edit({ embeds: [] }))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect(await reasonOf(edit({ embeds: [], flags: 4 }))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
  });

  test('that changes nothing has no event and does not set edited_timestamp', async () => {
    const { edit, channel_id } = await posted({ ...withEmbed, flags: 4 });
    const same = await edit({ content: 'old ', embeds: withEmbed.embeds, flags: 4 + 1024 });
    expect(same).toMatchObject({ content: 'old', flags: 4, edited_timestamp: null });
    expect(await changeEvents(channel_id)).toEqual([]);
  });

  test('changes only the flags that clients can set', async () => {
    const { edit, message_id } = await posted();
    await fixture.sql.query('UPDATE messages SET flags = 64 WHERE id = $1', [message_id]);
    expect((await edit({ flags: -1 }))?.flags).toBe(64 + 4 + 4096);
    expect((await edit({ flags: 4096 }))?.flags).toBe(64 + 4096);
    expect((await edit({ flags: 0 }))?.flags).toBe(64);
    expect((await edit({ flags: 2 ** 40 + 4 }))?.flags).toBe(64 + 4);
  });

  test('computes mentions again only for new content', async () => {
    const [one, two] = [addAccount(fixture), addAccount(fixture)];
    const { edit } = await posted(`<@${one}>`);
    const mentions = async (change: Edit) => (await edit(change))?.mentions.map(({ id }) => id);
    expect(await mentions({ flags: 4, allowed_mentions: { parse: [], users: [], roles: [] } })).toEqual([
      one,
    ]);
    expect(await mentions({ content: `<@${two}> <@${newId()}>` })).toEqual([two]);
    const nobody = { parse: [], users: [], roles: [] };
    expect(await mentions({ content: `<@${one}> <@${two}>`, allowed_mentions: nobody })).toEqual([]);
    expect(await mentions({ content: `<@${one}> and <@${two}>` })).toEqual([one, two]);
  });

  test('mentions everyone and roles by the current permissions', async () => {
    const { edit, guild_id, author } = await posted();
    const role = await addRole(fixture, guild_id, 0n);
    const content = `@everyone <@&${role}>`;
    expect(await edit({ content })).toMatchObject({ mention_everyone: false, mention_roles: [] });
    await addRole(fixture, guild_id, Permission.MENTION_EVERYONE, { holder: author });
    expect(await edit({ content: `${content}!` })).toMatchObject({
      mention_everyone: true,
      mention_roles: [role],
    });
  });

  test('accepts 4,000 code points and reports every violation at its path', async () => {
    const { edit } = await posted();
    expect((await edit({ content: ` ${'😀'.repeat(4000)} ` }))?.content).toBe('😀'.repeat(4000));
    const wrong = edit({
      content: '😀'.repeat(4001),
      embeds: [
        embedOf({ title: 'x'.repeat(257), url: 'ftp://x', fields: [{ name: '', value: 'x'.repeat(1025) }] }),
        embedOf({ color: 16_777_216, timestamp: 'soon' }),
      ],
      allowed_mentions: { parse: ['all'], users: [], roles: [] },
    });
    expect(await violationsOf(wrong)).toEqual([
      'content CONTENT_EXCEEDS_MAX_LENGTH',
      'embeds.0.title STRING_LENGTH_INVALID',
      'embeds.0.url INVALID_URL_FORMAT',
      'embeds.0.fields.0.name STRING_LENGTH_INVALID',
      'embeds.0.fields.0.value STRING_LENGTH_INVALID',
      'embeds.1.color COLOR_VALUE_TOO_HIGH',
      'embeds.1.timestamp INVALID_ISO_TIMESTAMP',
      'allowed_mentions.parse.0 INVALID_FORMAT',
    ]);
    const most = [embedOf({ description: 'x'.repeat(4000) }), embedOf({ description: 'x'.repeat(2000) })];
    expect((await edit({ embeds: most }))?.embeds).toHaveLength(2);
    expect(await violationsOf(edit({ embeds: [...most, embedOf({ title: 'x' })] }))).toEqual([
      'embeds EMBEDS_EXCEED_MAX_CHARACTERS',
    ]);
    const conflict = edit({ content: 'x', allowed_mentions: { parse: ['users'], users: ['1'], roles: [] } });
    expect(await reasonOf(conflict)).toBe('PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER');
  });

  test('requires the author, EMBED_LINKS for embeds, and MANAGE_MESSAGES for others’ flags', async () => {
    const { edit, owner, guild_id, channel_id, author } = await posted();
    const member = await addMember(fixture, guild_id);
    expect(await reasonOf(edit({ content: 'x' }, owner))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(edit({ embeds: [], flags: 4 }, owner))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(edit({ flags: 4 }, member))).toBe('MISSING_PERMISSIONS');
    expect((await edit({ flags: 4 }, owner))?.flags).toBe(4);
    await addRole(fixture, guild_id, Permission.MANAGE_MESSAGES, { holder: member });
    expect((await edit({ flags: 0 }, member))?.content).toBe('old');
    await addOverwrite(fixture, channel_id, { id: member, type: 1, deny: Permission.READ_MESSAGE_HISTORY });
    expect(await reasonOf(edit({ flags: 4 }, member))).toBe('MISSING_PERMISSIONS');
    await addOverwrite(fixture, channel_id, { id: author, type: 1, deny: Permission.EMBED_LINKS });
    expect(await reasonOf(edit({ embeds: [embedOf({ title: 't' })] }))).toBe('MISSING_PERMISSIONS');
    expect((await edit({ content: 'x' }))?.content).toBe('x');
  });

  test('stores nothing while the shown accounts cannot be read', async () => {
    const own = await startChat('chat_message_changes_outage');
    try {
      const { owner, general } = await addGuild(own);
      const created = await own.chat.createMessage(messageOf(general, 'old'), as(owner));
      const message_id = created.message?.id ?? '';
      await own.stopAuth();
      const edit = own.chat.updateMessage(
        { channel_id: general, message_id, content: { value: 'new' } },
        as(owner),
      );
      await reasonOf(edit);
      const { rows } = await own.sql.query('SELECT content FROM messages WHERE id = $1', [message_id]);
      expect(rows).toEqual([{ content: 'old' }]);
    } finally {
      await own.close();
    }
  });
});

describe('a deletion', () => {
  test('requires the author or MANAGE_MESSAGES, and has an event', async () => {
    const one = await posted();
    const member = await addMember(fixture, one.guild_id);
    expect(await reasonOf(one.remove(member))).toBe('MISSING_PERMISSIONS');
    await one.remove();
    expect(await reasonOf(one.get())).toBe('UNKNOWN_MESSAGE');
    expect(await reasonOf(one.remove())).toBe('UNKNOWN_MESSAGE');
    expect(await reasonOf(one.edit({ content: 'x' }))).toBe('UNKNOWN_MESSAGE');
    const deleted = (await channelEvents(fixture, one.channel_id)).filter(
      ({ type }) => type === 'MESSAGE_DELETE',
    );
    expect(deleted).toEqual([
      {
        type: 'MESSAGE_DELETE',
        account_ids: null,
        payload: {
          id: one.message_id,
          channel_id: one.channel_id,
          guild_id: one.guild_id,
          last_message_id: null,
        },
      },
    ]);

    const other = await posted();
    const moderator = await addMember(fixture, other.guild_id);
    await addRole(fixture, other.guild_id, Permission.MANAGE_MESSAGES, { holder: moderator });
    await other.remove(moderator);
    expect(await reasonOf(other.get())).toBe('UNKNOWN_MESSAGE');
  });
});

describe('changes', () => {
  test('of unknown messages are NOT_FOUND or UNKNOWN_MESSAGE, and MISSING_ACCESS without VIEW_CHANNEL', async () => {
    const { author, channel_id, guild_id, message_id, edit, remove } = await posted();
    const elsewhere = await posted();
    const change = (ids: { channel_id: string; message_id: string }) => [
      () => fixture.chat.updateMessage({ ...ids, content: { value: 'x' } }, as(author)),
      () => fixture.chat.deleteMessage(ids, as(author)),
    ];
    for (const call of change({ channel_id: newId(), message_id })) {
      expect(await reasonOf(call())).toBe('NOT_FOUND');
    }
    for (const wrong of [newId(), elsewhere.message_id, 'x', '', '9223372036854775808']) {
      for (const call of change({ channel_id, message_id: wrong })) {
        expect(await reasonOf(call())).toBe('UNKNOWN_MESSAGE');
      }
    }
    for (const call of change({ channel_id: elsewhere.channel_id, message_id: elsewhere.message_id })) {
      expect(await reasonOf(call())).toBe('MISSING_ACCESS');
    }
    const role = await addRole(fixture, guild_id, 0n, { holder: author });
    await addOverwrite(fixture, channel_id, { id: role, type: 0, deny: Permission.VIEW_CHANNEL });
    expect(await reasonOf(edit({ content: 'x' }))).toBe('MISSING_ACCESS');
    expect(await reasonOf(remove())).toBe('MISSING_ACCESS');
  });

  test('that are concurrent are logged as edits, then one deletion, and nothing after it', async () => {
    const { edit, remove, get, channel_id, message_id } = await posted();
    const calls = await Promise.allSettled([
      ...Array.from({ length: 16 }, (_, n) =>
        edit({ content: `edit ${n}` }, undefined, fixture.replicas[n % 2]),
      ),
      ...Array.from({ length: 4 }, (_, n) => remove(undefined, fixture.replicas[n % 2])),
      ...Array.from({ length: 16 }, (_, n) =>
        edit({ flags: 4 * (n % 2) }, undefined, fixture.replicas[n % 2]),
      ),
    ]);
    const failed = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.reason] : []));
    expect(new Set(failed)).toEqual(new Set(['UNKNOWN_MESSAGE']));
    expect(calls.slice(16, 20).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reasonOf(get())).toBe('UNKNOWN_MESSAGE');
    const events = await changeEvents(channel_id);
    expect(events.filter(([type]) => type === 'MESSAGE_DELETE')).toEqual([
      ['MESSAGE_DELETE', message_id, undefined],
    ]);
    expect(events.at(-1)?.[0]).toBe('MESSAGE_DELETE');
  });

  test('that are concurrent leave the last logged state', async () => {
    const { edit, get, channel_id } = await posted();
    await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        edit({ content: `edit ${n}` }, undefined, fixture.replicas[n % 2]),
      ),
    );
    const events = await changeEvents(channel_id);
    expect(events).toHaveLength(16);
    expect(events.at(-1)?.[2]).toBe((await get())?.content);
  });
});

describe('in a group DM', () => {
  test('the author edits and deletes, no other account does, and the recipients get the events', async () => {
    const [one, two, three] = [addAccount(fixture), addAccount(fixture), addAccount(fixture)];
    const { channel } = await fixture.chat.openPrivateChannel({ recipients: [two, three] }, as(one));
    const channel_id = channel?.id ?? '';
    const { message } = await fixture.chat.createMessage(messageOf(channel_id, 'old'), as(two));
    const ids = { channel_id, message_id: message?.id ?? '' };
    const edit = (by: string) => fixture.chat.updateMessage({ ...ids, content: { value: 'new' } }, as(by));
    expect(await reasonOf(edit(one))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(fixture.chat.deleteMessage(ids, as(one)))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(edit(addAccount(fixture)))).toBe('MISSING_ACCESS');
    await edit(two);
    await fixture.chat.deleteChannel({ channel_id }, as(three));
    await fixture.chat.deleteMessage(ids, as(two));
    const events = (await channelEvents(fixture, channel_id)).filter(({ type }) =>
      type.startsWith('MESSAGE'),
    );
    expect(events.map(({ type, account_ids }) => [type, account_ids])).toEqual([
      ['MESSAGE_CREATE', [one, two, three]],
      ['MESSAGE_UPDATE', [one, two, three]],
      ['MESSAGE_DELETE', [one, two]],
    ]);
  });

  test('a message about a new recipient can be deleted by its author, and edited by no account', async () => {
    const [one, two, three, four] = [
      addAccount(fixture),
      addAccount(fixture),
      addAccount(fixture),
      addAccount(fixture),
    ];
    const { channel } = await fixture.chat.openPrivateChannel({ recipients: [two, three] }, as(one));
    const channel_id = channel?.id ?? '';
    await fixture.chat.addRecipient({ channel_id, user_id: four }, as(one));
    const { messages } = await fixture.chat.listMessages({ channel_id }, as(one));
    const ids = { channel_id, message_id: messages[0]?.id ?? '' };
    const edit = fixture.chat.updateMessage({ ...ids, content: { value: 'x' } }, as(one));
    expect(await reasonOf(edit)).toBe('MISSING_PERMISSIONS');
    await fixture.chat.deleteMessage(ids, as(one));
  });
});

describe('a webhook', () => {
  async function postedBy(webhook_id: string) {
    const home = await addGuild(fixture);
    const request = { ...webhookMessageOf(home.general, withEmbed), webhook_id };
    const { message } = await fixture.chat.createWebhookMessage(request, internally);
    const ids = { webhook_id, channel_id: home.general, message_id: message?.id ?? '' };
    const edit = async (change: Edit) =>
      (await fixture.chat.updateWebhookMessage({ ...ids, ...editOf(change) }, internally)).message;
    return { ...home, ...ids, ids, message, edit };
  }

  test('edits its message by the same rules, but notifies no account by default', async () => {
    const { edit, message, channel_id } = await postedBy('70');
    const account = addAccount(fixture);
    const text = `<@${account}> @everyone`;
    expect(await edit({ content: text })).toMatchObject({
      author: message?.author,
      content: text,
      mentions: [],
      mention_everyone: false,
      edited_timestamp: expect.any(String),
    });
    const allowed = { parse: ['everyone', 'users'], users: [], roles: [] };
    expect(await edit({ content: `${text}!`, allowed_mentions: allowed })).toMatchObject({
      mentions: [{ id: account }],
      mention_everyone: true,
    });
    for (const nothing of [
      {},
      { embeds: [] },
      { content: null },
      { content: '' },
      { content: null, embeds: [] },
    ])
      expect(await reasonOf(edit(nothing)), JSON.stringify(nothing)).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect((await edit({ content: `${text}!`, embeds: [] }))?.embeds).toEqual([]);
    expect(await reasonOf(edit({ content: null, flags: 4 }))).toBe('CANNOT_SEND_EMPTY_MESSAGE');
    expect(await violationsOf(edit({ embeds: [embedOf({ title: 'x'.repeat(257) })] }))).toEqual([
      'embeds.0.title STRING_LENGTH_INVALID',
    ]);
    expect((await changeEvents(channel_id)).map(([type]) => type)).toEqual(Array(3).fill('MESSAGE_UPDATE'));
  });

  test('keeps the picture of its webhook until it is deleted', async () => {
    const hash = 'f'.repeat(32);
    const home = await addGuild(fixture);
    const request = { ...webhookMessageOf(home.general, withEmbed), webhook_id: '75', avatar: hash };
    const { message } = await fixture.chat.createWebhookMessage(request, internally);
    const named = async () =>
      (await fixture.chat.findNamedAvatars({ hashes: ['0'.repeat(32), hash] }, internally)).hashes;
    expect(await named()).toEqual([hash]);
    const ids = { webhook_id: '75', channel_id: home.general, message_id: message?.id ?? '' };
    await fixture.chat.deleteWebhookMessage(ids, internally);
    expect(await named()).toEqual([]);
  });

  test('deletes its message', async () => {
    const { ids, channel_id, message_id } = await postedBy('71');
    await fixture.chat.deleteWebhookMessage(ids, internally);
    expect(await reasonOf(fixture.chat.deleteWebhookMessage(ids, internally))).toBe('UNKNOWN_MESSAGE');
    expect(await changeEvents(channel_id)).toEqual([['MESSAGE_DELETE', message_id, undefined]]);
  });

  test('cannot change another author’s message, or one in another channel', async () => {
    const { ids, general, owner } = await postedBy('72');
    const created = await fixture.chat.createMessage(messageOf(general, 'x'), as(owner));
    const change = (other: Partial<typeof ids>) => [
      () => fixture.chat.updateWebhookMessage({ ...ids, ...other, ...editOf({ flags: 4 }) }, internally),
      () => fixture.chat.deleteWebhookMessage({ ...ids, ...other }, internally),
    ];
    for (const other of [{ webhook_id: '73' }, { message_id: created.message?.id ?? '' }]) {
      for (const call of change(other)) expect(await reasonOf(call())).toBe('MISSING_PERMISSIONS');
    }
    for (const other of [{ channel_id: newId() }, { message_id: newId() }, { message_id: 'x' }]) {
      for (const call of change(other)) expect(await reasonOf(call())).toBe('UNKNOWN_MESSAGE');
    }
    const edit = fixture.chat.updateMessage(
      { channel_id: ids.channel_id, message_id: ids.message_id, content: { value: 'x' } },
      as(owner),
    );
    expect(await reasonOf(edit)).toBe('MISSING_PERMISSIONS');
  });
});
