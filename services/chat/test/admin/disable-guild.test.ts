import { reasonOf, refusalOf } from '@gatehouse/dev-env/faults';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, newId } from '../support/guilds.ts';
import { as, internally, messageOf, webhookMessageOf } from '../support/requests.ts';
import { type ChatClient, type ChatFixture, startChat } from '../support/start-chat.ts';
import { stateOf } from '../support/state.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_disable_guild', 2);
});
afterAll(() => fixture.close());

const BY = { operator: 'ada', reason: 'Spam.' };
const disable = (guild_id: string, by = BY) => fixture.admin.disableGuild({ guild_id, ...by }, internally);
const enable = (guild_id: string, by = BY) => fixture.admin.enableGuild({ guild_id, ...by }, internally);
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => error.reason,
  );

/** A guild with a message of its owner, one of a webhook, and an invite. */
async function newHome() {
  const { chat } = fixture;
  const { owner, guild_id, general } = await addGuild(fixture);
  const { message } = await chat.createMessage(messageOf(general, 'Hello'), as(owner));
  const { message: posted } = await chat.createWebhookMessage(webhookMessageOf(general, 'Hi'), internally);
  const { invite } = await chat.createInvite({ channel_id: general }, as(owner));
  const ids = { message_id: message?.id ?? '', posted_id: posted?.id ?? '', code: invite?.code ?? '' };
  return { owner, guild_id, channel_id: general, ...ids };
}

type Home = Awaited<ReturnType<typeof newHome>>;
type Call = (home: Home, chat: ChatClient) => Promise<unknown>;

/** Changes that need no permission; permissions/required-permissions.test.ts has the others. */
const CHANGES: Readonly<Record<string, Call>> = {
  createMessage: ({ channel_id, owner }, chat) =>
    chat.createMessage(messageOf(channel_id, 'Hello'), as(owner)),
  updateMessage: ({ channel_id, message_id, owner }, chat) =>
    chat.updateMessage({ channel_id, message_id, content: { value: 'Changed' } }, as(owner)),
  deleteMessage: ({ channel_id, message_id, owner }, chat) =>
    chat.deleteMessage({ channel_id, message_id }, as(owner)),
  createWebhookMessage: ({ channel_id }, chat) =>
    chat.createWebhookMessage(webhookMessageOf(channel_id, 'Hi'), internally),
  'createWebhookMessage with a key': ({ channel_id }, chat) =>
    chat.createWebhookMessage(
      webhookMessageOf(channel_id, { content: 'Hi', deduplication_key: newId() }),
      internally,
    ),
  updateWebhookMessage: ({ channel_id, posted_id: message_id }, chat) =>
    chat.updateWebhookMessage(
      { channel_id, message_id, webhook_id: '77', content: { value: 'Changed' } },
      internally,
    ),
  deleteWebhookMessage: ({ channel_id, posted_id: message_id }, chat) =>
    chat.deleteWebhookMessage({ channel_id, message_id, webhook_id: '77' }, internally),
  acceptInvite: ({ code }, chat) => chat.acceptInvite({ code }, as(addAccount(fixture))),
  deleteInvite: ({ code, owner }, chat) => chat.deleteInvite({ code }, as(owner)),
  deleteGuild: ({ guild_id, owner }, chat) => chat.deleteGuild({ guild_id }, as(owner)),
  'authorizeWebhooks for a change': ({ channel_id, owner }, chat) =>
    chat.authorizeWebhooks({ channel_id, changes: true }, as(owner)),
  'listWebhookChannels for a change': ({ guild_id, owner }, chat) =>
    chat.listWebhookChannels({ guild_id, changes: true }, as(owner)),
};

const READS: Readonly<Record<string, Call>> = {
  getGuild: ({ guild_id, owner }, chat) => chat.getGuild({ guild_id }, as(owner)),
  listGuilds: ({ owner }, chat) => chat.listGuilds({}, as(owner)),
  listMessages: ({ channel_id, owner }, chat) => chat.listMessages({ channel_id }, as(owner)),
  listMembers: ({ guild_id, owner }, chat) => chat.listMembers({ guild_id }, as(owner)),
  getInvite: ({ code }, chat) => chat.getInvite({ code }, internally),
  getWebhookMessage: ({ channel_id, posted_id: message_id }, chat) =>
    chat.getWebhookMessage({ channel_id, message_id, webhook_id: '77' }, internally),
  authorizeWebhooks: ({ channel_id, owner }, chat) => chat.authorizeWebhooks({ channel_id }, as(owner)),
  listWebhookChannels: ({ guild_id, owner }, chat) => chat.listWebhookChannels({ guild_id }, as(owner)),
};

describe('in a disabled guild', () => {
  test.each(Object.entries(CHANGES))('%s is refused, and works once it is enabled', async (_, call) => {
    const home = await newHome();
    await disable(home.guild_id);
    const before = await stateOf(fixture, home.guild_id);
    expect(await reasonOf(call(home, fixture.chat))).toBe('GUILD_DISABLED');
    expect(await stateOf(fixture, home.guild_id)).toEqual(before);
    await enable(home.guild_id);
    await call(home, fixture.chat);
  });

  test.each(Object.entries(READS))('%s works', async (_, call) => {
    const home = await newHome();
    await disable(home.guild_id);
    await call(home, fixture.chat);
  });

  test('members can leave, and the bot of a deleted application goes', async () => {
    const { guild_id } = await newHome();
    const [member, bot] = [await addMember(fixture, guild_id), await addMember(fixture, guild_id)];
    await disable(guild_id);
    await fixture.chat.leaveGuild({ guild_id }, as(member));
    await fixture.chat.removeBot({ bot_id: bot }, internally);
    expect((await stateOf(fixture, guild_id)).members.map(({ account_id }) => account_id)).not.toEqual(
      expect.arrayContaining([member, bot]),
    );
  });

  test('a message starts no slowmode interval', async () => {
    const { guild_id, channel_id, owner } = await newHome();
    const member = await addMember(fixture, guild_id);
    await fixture.chat.updateChannel(
      { channel_id, rate_limit_per_user: 60, topic: null, parent_id: null },
      as(owner),
    );
    await disable(guild_id);
    const taken = fixture.slowmode.requests.length;
    expect(await reasonOf(fixture.chat.createMessage(messageOf(channel_id, 'x'), as(member)))).toBe(
      'GUILD_DISABLED',
    );
    expect(fixture.slowmode.requests.length).toBe(taken);
  });

  test('other guilds go on, also in the same statement', async () => {
    const [disabled, other] = [await newHome(), await newHome()];
    await disable(disabled.guild_id);
    const posts = [disabled, other, disabled, other].map(({ channel_id }) =>
      outcomeOf(fixture.chat.createWebhookMessage(webhookMessageOf(channel_id, 'x'), internally)),
    );
    expect(await Promise.all(posts)).toEqual(['GUILD_DISABLED', 'OK', 'GUILD_DISABLED', 'OK']);
  });
});

describe('DisableGuild', () => {
  test('answers with the guild before and after', async () => {
    const { guild_id, owner } = await newHome();
    const { before, after } = await disable(guild_id, { operator: ' ada ', reason: ' Spam. ' });
    expect(before).toEqual({ id: guild_id, name: 'Guild', owner_id: owner, members: 1, disablement: null });
    expect(after).toMatchObject({ id: guild_id, disablement: BY });
    const again = await disable(guild_id, { operator: 'bob', reason: 'More spam.' });
    const at_ms = after?.disablement?.at_ms;
    expect(again.after?.disablement).toEqual({ at_ms, operator: 'bob', reason: 'More spam.' });
    expect((await enable(guild_id)).after).toEqual(before);
    expect((await enable(guild_id)).before).toEqual(before);
  });

  test.each([
    ['no operator', { operator: '', reason: 'x' }, 'operator STRING_LENGTH_INVALID'],
    ['no reason', { operator: 'x', reason: ' ' }, 'reason STRING_LENGTH_INVALID'],
    ['a long operator', { operator: 'x'.repeat(65), reason: 'x' }, 'operator STRING_LENGTH_INVALID'],
    ['a long reason', { operator: 'x', reason: 'x'.repeat(513) }, 'reason STRING_LENGTH_INVALID'],
  ])('refuses %s', async (_, by, violation) => {
    const { guild_id } = await newHome();
    expect(await refusalOf(disable(guild_id, by))).toEqual(['INVALID_FORM_BODY', violation]);
    expect(await refusalOf(enable(guild_id, by))).toEqual(['INVALID_FORM_BODY', violation]);
  });

  test('knows no guild that does not exist', async () => {
    expect(await reasonOf(disable(newId()))).toBe('UNKNOWN_GUILD');
    expect(await reasonOf(enable(newId()))).toBe('UNKNOWN_GUILD');
    expect(await reasonOf(disable("'"))).toBe('INVALID_FORM_BODY');
  });
});

describe('a change that waits for a guild which is being disabled', () => {
  test.each(['createMessage', 'createWebhookMessage', 'updateMessage', 'acceptInvite', 'deleteGuild'])(
    '%s is refused',
    async (name) => {
      const home = await newHome();
      const lock = await fixture.sql.connect();
      try {
        await lock.query('BEGIN');
        await lock.query(
          `UPDATE guilds SET disabled_at = now(), disabled_by = 'ada', disabled_reason = 'x' WHERE id = $1`,
          [home.guild_id],
        );
        const outcome = outcomeOf(CHANGES[name]?.(home, fixture.chat) ?? Promise.reject(new Error(name)));
        await untilWaitingForLock(fixture.sql, 1);
        await lock.query('COMMIT');
        expect(await outcome).toBe('GUILD_DISABLED');
      } finally {
        lock.release();
      }
    },
  );
});

test('once DisableGuild has answered, 64 callers at two replicas change nothing', async () => {
  const home = await newHome();
  const { channel_id, owner, guild_id, code } = home;
  const calls: readonly ((chat: ChatClient) => Promise<unknown>)[] = [
    (chat) => chat.createMessage(messageOf(channel_id, 'x'), as(owner)),
    (chat) => chat.createWebhookMessage(webhookMessageOf(channel_id, 'x'), internally),
    (chat) => chat.createRole({ guild_id, permissions: '0' }, as(owner)),
    (chat) => chat.acceptInvite({ code }, as(addAccount(fixture))),
  ];
  const callers = Array.from({ length: 64 }, async (_, n) => {
    const chat = fixture.replicas[n % 2] ?? fixture.chat;
    const call = calls[n % calls.length] ?? calls[0];
    for (;;) {
      const outcome = await outcomeOf(call?.(chat) ?? Promise.reject(new Error('there are calls')));
      if (outcome !== 'OK' && outcome !== 'BAD_REQUEST') return outcome; // 250 roles
    }
  });
  await fixture.chat.createMessage(messageOf(channel_id, 'x'), as(owner));
  await disable(guild_id);
  const [guild, channel] = [await stateOf(fixture, guild_id), await stateOf(fixture, channel_id)];
  expect(new Set(await Promise.all(callers))).toEqual(new Set(['GUILD_DISABLED']));
  expect(await stateOf(fixture, guild_id)).toEqual(guild);
  expect(await stateOf(fixture, channel_id)).toEqual(channel);
});
