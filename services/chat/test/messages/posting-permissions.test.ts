import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, addRole } from '../support/guilds.ts';
import { channelEvents, eventsOf } from '../support/log.ts';
import { as, embedOf, messageOf } from '../support/requests.ts';
import { type ChatClient, type ChatFixture, startChat } from '../support/start-chat.ts';

const { EMBED_LINKS, MENTION_EVERYONE, SEND_MESSAGES, VIEW_CHANNEL } = Permission;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_posting_permissions', 2);
});
afterAll(() => fixture.close());

/** A channel with slowmode, and a member with MENTION_EVERYONE. */
async function newWorld() {
  const { guild_id, general, owner } = await addGuild(fixture);
  const member = await addMember(fixture, guild_id);
  const role_id = await addRole(fixture, guild_id, MENTION_EVERYONE, { holder: member });
  await fixture.sql.query('UPDATE channels SET rate_limit_per_user = 30 WHERE id = $1', [general]);
  return { guild_id, general, owner, member, role_id };
}
type World = Awaited<ReturnType<typeof newWorld>>;

/** A message that had passed every check before `change`. */
async function postAround(change: (world: World) => Promise<unknown>) {
  const world = await newWorld();
  const gate = Promise.withResolvers<void>();
  fixture.slowmode.gate = gate.promise;
  const before = fixture.slowmode.requests.length;
  const message = messageOf(world.general, {
    content: '@everyone',
    embeds: [embedOf({ title: 'x' })],
    nonce: '7',
  });
  const posted = fixture.chat.createMessage(message, as(world.member));
  const outcome = posted.then(
    (answer) => answer.message,
    () => undefined,
  );
  await expect.poll(() => fixture.slowmode.requests.length).toBe(before + 1);
  await change(world);
  gate.resolve();
  await outcome;
  const events = await channelEvents(fixture, world.general);
  return { posted, created: events.filter(({ type }) => type === 'MESSAGE_CREATE') };
}

const deny = (bits: bigint) => (world: World) =>
  fixture.chat.putOverwrite(
    { channel_id: world.general, overwrite_id: world.member, type: 1, deny: String(bits) },
    as(world.owner),
  );

describe('a message that is checked before a change and stored after it', () => {
  test.each<[string, string, (world: World) => Promise<unknown>]>([
    [
      'a kick',
      'MISSING_ACCESS',
      ({ guild_id, member, owner }) => fixture.chat.removeMember({ guild_id, user_id: member }, as(owner)),
    ],
    [
      'leaving',
      'MISSING_ACCESS',
      ({ guild_id, member }) => fixture.chat.leaveGuild({ guild_id }, as(member)),
    ],
    ['the loss of VIEW_CHANNEL', 'MISSING_ACCESS', deny(VIEW_CHANNEL)],
    ['the loss of SEND_MESSAGES', 'MISSING_PERMISSIONS', deny(SEND_MESSAGES)],
    ['the loss of EMBED_LINKS', 'MISSING_PERMISSIONS', deny(EMBED_LINKS)],
    [
      'the deletion of the channel',
      'NOT_FOUND',
      ({ general, owner }) => fixture.chat.deleteChannel({ channel_id: general }, as(owner)),
    ],
  ])('is refused after %s: %s', async (_, reason, change) => {
    const { posted, created } = await postAround(change);
    expect([await reasonOf(posted), created]).toEqual([reason, []]);
  });

  test('mentions only targets that its author may still mention', async () => {
    const { posted, created } = await postAround(({ guild_id, role_id, owner }) =>
      fixture.chat.deleteRole({ guild_id, role_id }, as(owner)),
    );
    expect((await posted).message).toMatchObject({ mention_everyone: false, nonce: '7' });
    expect(created.map(({ payload }) => [payload.mention_everyone, payload.nonce])).toEqual([[false, '7']]);
  });

  test('is stored after an unrelated change', async () => {
    const { posted, created } = await postAround(({ guild_id, owner }) =>
      fixture.chat.createRole({ guild_id }, as(owner)),
    );
    const { message } = await posted;
    expect(message).toMatchObject({ mention_everyone: true, nonce: '7' });
    expect(created.map(({ payload }) => payload.id)).toEqual([message?.id]);
  });
});

const chatOf = (n: number): ChatClient => fixture.replicas[n % 2] ?? fixture.chat;
const sixteen = <T>(make: (n: number) => T) => Array.from({ length: 16 }, (_, n) => make(n));

describe('while sixteen post', () => {
  test('no message of a kicked member comes after the kick', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const members = await Promise.all(sixteen(() => addMember(fixture, guild_id)));
    await Promise.allSettled(
      members.flatMap((user_id, n) => [
        chatOf(n).createMessage(messageOf(general, 'before'), as(user_id)),
        chatOf(n + 1).removeMember({ guild_id, user_id }, as(owner)),
        chatOf(n).createMessage(messageOf(general, 'after'), as(user_id)),
      ]),
    );
    const kicked = new Set<unknown>();
    for (const { type, payload } of await eventsOf(fixture, guild_id)) {
      if (type === 'GUILD_MEMBER_REMOVE') kicked.add(payload.account_id);
      if (type === 'MESSAGE_CREATE') expect([...kicked]).not.toContain(payload.author_id);
    }
    expect(kicked.size).toBe(16);
  });

  test('a member with the permission posts once while the guild keeps changing', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const members = await Promise.all(sixteen(() => addMember(fixture, guild_id)));
    const posts = members.map((id, n) => chatOf(n).createMessage(messageOf(general, String(n)), as(id)));
    const changes = sixteen((n) => chatOf(n).createRole({ guild_id, name: String(n) }, as(owner)));
    const [answers] = await Promise.all([Promise.all(posts), Promise.all(changes)]);
    const stored = (await channelEvents(fixture, general)).map(({ payload }) => payload.id);
    expect(stored.sort()).toEqual(answers.map(({ message }) => message?.id).sort());
  });

  test('no message in a group DM is by a former recipient', async () => {
    const owner = addAccount(fixture);
    const others = Array.from({ length: 9 }, () => addAccount(fixture));
    const { channel } = await fixture.chat.openPrivateChannel({ recipients: others }, as(owner));
    const channel_id = channel?.id ?? '';
    const results = await Promise.allSettled(
      others.flatMap((user_id, n) => [
        chatOf(n).createMessage(messageOf(channel_id, 'before'), as(user_id)),
        chatOf(n + 1).removeRecipient({ channel_id, user_id }, as(owner)),
        chatOf(n).createMessage(messageOf(channel_id, 'after'), as(user_id)),
      ]),
    );
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.reason] : []));
    expect(reasons.filter((reason) => reason !== 'MISSING_ACCESS')).toEqual([]);
    for (const { type, account_ids, payload } of await channelEvents(fixture, channel_id)) {
      if (type === 'MESSAGE_CREATE') expect(account_ids).toContain(payload.author_id);
    }
  });
});
