import { describe, expect, it } from 'vitest';
import { unhurried } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Message, PrivateChannel } from '../support/objects.ts';
import { type Caller, newcomer, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { done, newBot, newGuild, ok, post, say } from './guild-fixture.ts';

export function privateChannels(suite: TestSuite): void {
  const people = (count: number) =>
    Promise.all(Array.from({ length: count }, () => newcomer(unhurried(suite.api)))) as Promise<
      [Person, Person, Person, ...Person[]]
    >;
  const open = (by: Caller, ...others: { user: { id: string } }[]) =>
    by.api.post('/users/@me/channels', { recipients: others.map(({ user }) => user.id) });
  const listed = ({ api }: Caller) => ok<PrivateChannel[]>(api.get('/users/@me/channels'));
  const recipient = (by: Caller, method: 'PUT' | 'DELETE', { id }: { id: string }, who: string) =>
    by.api.send(method, `/channels/${id}/recipients/${who}`);

  describe('a DM', () => {
    it('is one channel of two people, whoever opens it', async () => {
      const [ada, ben, other] = await people(3);
      const dm = await ok<PrivateChannel>(open(ada, ben));
      expect(dm).toMatchObject({ type: 1, recipients: [{ id: ben.user.id, username: ben.username }] });
      expect(dm).not.toHaveProperty('guild_id');
      expect((await ok<PrivateChannel>(open(ada, ben))).id).toBe(dm.id);
      expect(await ok<PrivateChannel>(open(ben, ada))).toMatchObject({
        id: dm.id,
        recipients: [{ id: ada.user.id }],
      });
      const sent = await say({ channel: dm as never }, ada, 'hello');
      expect(await ok<Message[]>(ben.api.get(`/channels/${dm.id}/messages`))).toEqual([sent]);
      for (const { api } of [ada, ben]) {
        expect(await listed({ api })).toMatchObject([{ id: dm.id, last_message_id: sent.id }]);
        await ok(api.get(`/channels/${dm.id}`));
      }
      expect(await listed(other)).toEqual([]);
      for (const path of ['', '/messages', `/messages/${sent.id}`]) {
        expectError(await other.api.get(`/channels/${dm.id}${path}`), 403, 'MISSING_ACCESS');
      }
      expectError(await post({ channel: dm as never }, other, 'x'), 403, 'MISSING_ACCESS');
    });

    it('is opened by one of many who try at once', async () => {
      const [ada, ben] = await people(2);
      const tries = Array.from({ length: 16 }, (_, n) => (n % 2 ? open(ada, ben) : open(ben, ada)));
      const ids = await Promise.all(tries.map(async (each) => (await ok<PrivateChannel>(each)).id));
      expect(new Set(ids).size).toBe(1);
    });

    it('takes neither webhooks nor overwrites nor recipients, and has no slowmode', async () => {
      const [ada, ben, other] = await people(3);
      const dm = await ok<PrivateChannel>(open(ada, ben));
      expectError(await ada.api.post(`/channels/${dm.id}/webhooks`, { name: 'x' }), 400, 'BAD_REQUEST');
      const added = await recipient(ada, 'PUT', dm, other.user.id);
      expect(added.status, added.text).toBeGreaterThanOrEqual(400);
      const put = await ada.api.send('PUT', `/channels/${dm.id}/permissions/1`, {
        body: { type: 1, allow: '0', deny: '0' },
      });
      expect(put.status, put.text).toBeGreaterThanOrEqual(400);
      const slow = await ok(ada.api.get(`/channels/${dm.id}/slowmode`));
      expect(slow).toEqual({ rate_limit_per_user: 0, retry_after: 0 });
    });

    it('is opened with somebody who is there, and by a bot too', async () => {
      const [ada] = await people(1);
      const nobody = { user: { id: '9223372036854775807' } };
      expectError(await open(ada, nobody), 404, 'UNKNOWN_USER');
      for (const recipients of [[], 'x', ['0x1'], [7.5], undefined]) {
        const reply = await ada.api.post('/users/@me/channels', { recipients });
        const { errors = [] } = expectError(reply, 400, 'INVALID_FORM_BODY');
        expect(errors[0]?.path, reply.text).toMatch(/^recipients/);
      }
      const bot = await newBot(ada);
      expect(await ok(open(bot, ada))).toMatchObject({ type: 1, recipients: [{ id: ada.user.id }] });
    });
  });

  describe('a group DM', () => {
    it('lets every recipient add, its opener remove, and everyone leave', async () => {
      const [ada, ben, cleo, dan, eve] = await people(5);
      if (dan === undefined || eve === undefined) throw new Error('five people');
      const group = await ok<PrivateChannel>(open(ada, ben, cleo));
      expect(group.type).toBe(3);
      const ids = async () =>
        (await ok<PrivateChannel>(ada.api.get(`/channels/${group.id}`))).recipients
          .map(({ id }) => id)
          .sort();
      const sorted = (...persons: Person[]) => persons.map(({ user }) => user.id).sort();
      expect(await ids()).toEqual(sorted(ben, cleo));
      expectError(await recipient(dan, 'PUT', group, eve.user.id), 403, 'MISSING_ACCESS');
      await done(recipient(ben, 'PUT', group, dan.user.id));
      expect(await ids()).toEqual(sorted(ben, cleo, dan));
      expect((await ok<Message[]>(dan.api.get(`/channels/${group.id}/messages`)))[0]).toMatchObject({
        type: 1,
        author: { id: ben.user.id },
        mentions: [{ id: dan.user.id }],
      });
      await done(recipient(ben, 'PUT', group, dan.user.id));
      expect(await ids(), 'who is there stays there').toEqual(sorted(ben, cleo, dan));
      expect((await recipient(ben, 'DELETE', group, dan.user.id)).status).toBe(403);
      await done(recipient(ada, 'DELETE', group, dan.user.id));
      await done(recipient(cleo, 'DELETE', group, cleo.user.id));
      expect(await ids()).toEqual(sorted(ben));
      for (const gone of [dan, cleo]) {
        expectError(await gone.api.get(`/channels/${group.id}/messages`), 403, 'MISSING_ACCESS');
        expect(await listed(gone)).toEqual([]);
      }
      await done(recipient(ada, 'DELETE', group, ada.user.id));
      await done(recipient(ben, 'PUT', group, eve.user.id));
      await done(recipient(ben, 'DELETE', group, eve.user.id));
      await done(recipient(ben, 'DELETE', group, ben.user.id));
      expectError(await ben.api.get(`/channels/${group.id}`), 404, 'NOT_FOUND');
    });

    it('holds ten people: of sixteen who are added at once to the last place one gets it', async () => {
      const all = await people(26);
      const [opener, ...others] = all;
      const nine = others.slice(0, 8);
      const group = await ok<PrivateChannel>(open(opener, ...nine));
      const candidates = others.slice(9);
      // Each adds two: who adds has a limit of his own.
      const replies = await Promise.all(
        candidates
          .slice(0, 16)
          .map((who, n) => recipient(nine[n % nine.length] ?? opener, 'PUT', group, who.user.id)),
      );
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
      for (const reply of replies.filter(({ status }) => status !== 204))
        expectError(reply, 400, 'BAD_REQUEST');
      const full = await ok<PrivateChannel>(opener.api.get(`/channels/${group.id}`));
      expect(full.recipients).toHaveLength(9);
    });

    it('begins with ten people at most', async () => {
      const [opener, ...others] = await people(11);
      const tooMany = await open(opener, ...others);
      expect(tooMany.status, tooMany.text).toBe(400);
      expect((await ok<PrivateChannel>(open(opener, ...others.slice(1)))).recipients).toHaveLength(9);
      expect(await listed(opener)).toHaveLength(1);
    });

    it('is no guild: nobody invites to it, and a guild’s channel has no recipients', async () => {
      const [ada, ben, cleo] = await people(3);
      const group = await ok<PrivateChannel>(open(ada, ben, cleo));
      const invited = await ada.api.post(`/channels/${group.id}/invites`, {});
      expect(invited.status, invited.text).toBeGreaterThanOrEqual(400);
      const { owner, channel } = await newGuild(suite.api);
      const added = await recipient(owner, 'PUT', channel, ada.user.id);
      expect(added.status, added.text).toBeGreaterThanOrEqual(400);
    });
  });
}
