import { beforeAll, describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../../support/api.ts';
import { type Bot, newBot } from '../../support/bots.ts';
import { expectNoContent, expectOk } from '../../support/expect-status.ts';
import { say } from '../../support/guilds.ts';
import type { CurrentUser, Message, PrivateChannel } from '../../support/objects.ts';
import { newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import type { Gateway } from '../support/use-gateway.ts';
import { byType, type ReceivedEvent, receivedDuring, type WatchedSession, watch } from '../support/watch.ts';
import { sharedMarkChannel } from '../support/watched-guild.ts';

type Name = 'ada' | 'ben' | 'cleo' | 'dan';

/** The rows of docs/gateway.md#events for DMs, group DMs and accounts. */
export function privateEvents(stack: TestStack, gateway: Gateway): void {
  let people: Record<Name, Person>;
  let watched: Record<Name, WatchedSession>;
  beforeAll(async () => {
    const [ada, ben, cleo, dan] = await Promise.all([
      newcomer(withGlobalRetry(stack.api)),
      newcomer(withGlobalRetry(stack.api)),
      newcomer(withGlobalRetry(stack.api)),
      newcomer(withGlobalRetry(stack.api)),
    ]);
    people = { ada, ben, cleo, dan };
    const marks = await sharedMarkChannel(ada, ben, cleo, dan);
    watched = {
      ada: await watch(gateway, ada, marks),
      ben: await watch(gateway, ben, marks),
      cleo: await watch(gateway, cleo, marks),
      dan: await watch(gateway, dan, marks),
    };
  });

  const during = (act: () => Promise<unknown>) => receivedDuring(watched, act);
  const receivedBy = (names: readonly Name[], received: ReceivedEvent): Record<Name, ReceivedEvent[]> => {
    const of = (name: Name) => (names.includes(name) ? [received] : []);
    return { ada: of('ada'), ben: of('ben'), cleo: of('cleo'), dan: of('dan') };
  };
  const open = (by: Name, ...others: Name[]) =>
    expectOk<PrivateChannel>(
      people[by].api.post('/users/@me/channels', { recipients: others.map((name) => people[name].user.id) }),
    );
  const seenBy = (name: Name, { id }: { id: string }) =>
    expectOk<PrivateChannel>(people[name].api.get(`/channels/${id}`));
  const publicUser = (name: Name) => {
    const { id, username } = people[name].user;
    return { id, username, discriminator: '0', global_name: null, avatar: null, bot: false };
  };

  describe('a DM', () => {
    it('reaches both people, each with the other as recipient, and so do its messages', async () => {
      let dm: PrivateChannel = { id: '', type: 1, recipients: [], last_message_id: null };
      const opened = await during(async () => {
        dm = await open('ada', 'ben');
      });
      for (const name of ['ada', 'ben'] as const)
        expect(opened[name], name).toEqual([{ t: 'CHANNEL_CREATE', d: await seenBy(name, dm) }]);
      expect([opened.cleo, opened.dan]).toEqual([[], []]);

      let message: Message | undefined;
      const channel = dm;
      const posted = await during(async () => {
        message = await say({ channel }, people.ben, 'hello');
      });
      expect(posted).toEqual(receivedBy(['ada', 'ben'], { t: 'MESSAGE_CREATE', d: message }));
      const path = `/channels/${dm.id}/messages/${message?.id}`;
      const edited = await during(async () => {
        message = await expectOk<Message>(people.ben.api.send('PATCH', path, { body: { content: 'hi' } }));
      });
      expect(edited).toEqual(receivedBy(['ada', 'ben'], { t: 'MESSAGE_UPDATE', d: message }));
      const deleted = await during(() => expectNoContent(people.ben.api.send('DELETE', path)));
      const d = { id: message?.id, channel_id: dm.id };
      expect(deleted).toEqual(receivedBy(['ada', 'ben'], { t: 'MESSAGE_DELETE', d }));
    });
  });

  describe('a group DM', () => {
    it('reaches its recipients, who also get events when others are added and removed', async () => {
      let group: PrivateChannel = { id: '', type: 3, recipients: [], last_message_id: null };
      const opened = await during(async () => {
        group = await open('ada', 'ben', 'cleo');
      });
      for (const name of ['ada', 'ben', 'cleo'] as const)
        expect(opened[name], name).toEqual([{ t: 'CHANNEL_CREATE', d: await seenBy(name, group) }]);
      expect(opened.dan).toEqual([]);

      const recipient = (by: Name, method: 'PUT' | 'DELETE', who: Name) =>
        expectNoContent(
          people[by].api.send(method, `/channels/${group.id}/recipients/${people[who].user.id}`),
        );
      const added = await during(() => recipient('ben', 'PUT', 'dan'));
      const comes = { t: 'CHANNEL_RECIPIENT_ADD', d: { channel_id: group.id, user: publicUser('dan') } };
      const type1 = { t: 'MESSAGE_CREATE', d: expect.objectContaining({ type: 1, channel_id: group.id }) };
      for (const name of ['ada', 'ben', 'cleo'] as const)
        expect(byType(added[name]), name).toEqual([comes, type1]);
      expect(added.dan.map(({ t }) => t)).toEqual(['CHANNEL_CREATE', 'MESSAGE_CREATE']);
      expect(added.dan[0]?.d).toMatchObject({
        id: group.id,
        type: 3,
        recipients: expect.arrayContaining([publicUser('ada'), publicUser('ben'), publicUser('cleo')]),
      });

      const removed = await during(() => recipient('ada', 'DELETE', 'dan'));
      const goes = { t: 'CHANNEL_RECIPIENT_REMOVE', d: { channel_id: group.id, user: publicUser('dan') } };
      for (const name of ['ada', 'ben', 'cleo'] as const) expect(removed[name], name).toContainEqual(goes);
      expect(removed.dan, 'the removed recipient').toMatchObject([
        { t: 'CHANNEL_DELETE', d: { id: group.id } },
      ]);

      const channel = group;
      const posted = await during(() => say({ channel }, people.ada, 'he is gone'));
      expect([posted.ada.length, posted.ben.length, posted.cleo.length]).toEqual([1, 1, 1]);
      expect(posted.dan).toEqual([]);

      const left = await during(() => recipient('cleo', 'DELETE', 'cleo'));
      expect(left.cleo).toMatchObject([{ t: 'CHANNEL_DELETE', d: { id: group.id } }]);
      for (const name of ['ada', 'ben'] as const)
        expect(left[name]).toContainEqual({
          t: 'CHANNEL_RECIPIENT_REMOVE',
          d: { channel_id: group.id, user: publicUser('cleo') },
        });
    });

    it('reaches an installed bot', async () => {
      const group = await open('ada', 'ben', 'cleo');
      const bot: Bot = await newBot(stack.api);
      const session = await watch(gateway, bot);
      await session.received();
      const body = { client_id: bot.id, scope: 'bot', channel_id: group.id };
      const received = await during(() => expectOk(people.ada.api.post('/oauth2/authorize/consent', body)));
      for (const name of ['ada', 'ben', 'cleo'] as const)
        expect(received[name], name).toContainEqual({
          t: 'CHANNEL_RECIPIENT_ADD',
          d: { channel_id: group.id, user: expect.objectContaining({ id: bot.id, bot: true }) },
        });
      expect(received.dan).toEqual([]);
      const [created] = await session.received();
      expect(created).toMatchObject({ t: 'CHANNEL_CREATE', d: { id: group.id, type: 3 } });
    });
  });

  describe('USER_UPDATE', () => {
    it('reaches all sessions of the account with the private fields, and nobody else', async () => {
      const second = await gateway.identify(people.ada.token);
      await open('ada', 'ben');
      await during(async () => undefined);
      const rename = async (name: Name, global_name: string) => {
        await expectOk(people[name].api.send('PATCH', '/users/@me', { body: { global_name } }));
        const fits = (user: CurrentUser) => user.global_name === global_name;
        return watched[name].session.event<CurrentUser>('USER_UPDATE', fits);
      };
      const received = await rename('ada', 'Ada L.');
      expect(received).toEqual(await expectOk<CurrentUser>(people.ada.api.get('/users/@me')));
      expect(received).toMatchObject({
        id: people.ada.user.id,
        email: people.ada.email,
        global_name: 'Ada L.',
      });
      const fits = (user: CurrentUser) => user.global_name === 'Ada L.';
      expect(await second.event<CurrentUser>('USER_UPDATE', fits)).toEqual(received);
      // An event for others would have arrived before their own USER_UPDATE.
      for (const name of ['ben', 'cleo'] as const) {
        await rename(name, `${name} B.`);
        const users = watched[name].session.fresh().filter(({ t }) => t === 'USER_UPDATE');
        expect(users, name).toHaveLength(1);
      }
    });

    it('is sent for every kind of change to an account', async () => {
      const { dan } = people;
      const { session } = watched.dan;
      const patch = (body: object) => expectOk(dan.api.send('PATCH', '/users/@me', { body }));
      await patch({ username: `${dan.username}2` });
      await session.event<CurrentUser>('USER_UPDATE', (user) => user.username === `${dan.username}2`);
      await patch({ bio: 'I am here', pronouns: 'they' });
      await session.event<CurrentUser>('USER_UPDATE', (user) => user.bio === 'I am here');
      await patch({ email: `new-${dan.email}`, password: dan.password });
      await session.event<CurrentUser>('USER_UPDATE', (user) => user.email === `new-${dan.email}`);
    });
  });

  it('a stranger gets no events of others’ private channels and accounts', async () => {
    const stranger = await watch(gateway, await newcomer(withGlobalRetry(stack.api)));
    await stranger.received();
    const dm = await open('cleo', 'ben');
    const channel = dm;
    await say({ channel }, people.ben, 'between us');
    await expectOk(people.ben.api.send('PATCH', '/users/@me', { body: { global_name: 'Benno' } }));
    expect(await stranger.received()).toEqual([]);
  });
}
