import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { post, say } from '../support/guilds.ts';
import type { Message, PrivateChannel } from '../support/objects.ts';
import { type Caller, newcomer, type Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

export function privateChannels(stack: TestStack): void {
  const people = (count: number) =>
    Promise.all(Array.from({ length: count }, () => newcomer(withGlobalRetry(stack.api)))) as Promise<
      [Person, Person, Person, ...Person[]]
    >;
  const open = (by: Caller, ...others: { user: { id: string } }[]) =>
    by.api.post('/users/@me/channels', { recipients: others.map(({ user }) => user.id) });
  const listed = ({ api }: Caller) => expectOk<PrivateChannel[]>(api.get('/users/@me/channels'));
  const recipient = (by: Caller, method: 'PUT' | 'DELETE', { id }: { id: string }, who: string) =>
    by.api.send(method, `/channels/${id}/recipients/${who}`);

  describe('a DM', () => {
    it('is the same channel for both people, no matter which of them opens it', async () => {
      const [ada, ben, other] = await people(3);
      const dm = await expectOk<PrivateChannel>(open(ada, ben));
      expect(dm).toMatchObject({ type: 1, recipients: [{ id: ben.user.id, username: ben.username }] });
      expect(dm).not.toHaveProperty('guild_id');
      expect((await expectOk<PrivateChannel>(open(ada, ben))).id).toBe(dm.id);
      expect(await expectOk<PrivateChannel>(open(ben, ada))).toMatchObject({
        id: dm.id,
        recipients: [{ id: ada.user.id }],
      });
      const sent = await say({ channel: dm }, ada, 'hello');
      expect(await expectOk<Message[]>(ben.api.get(`/channels/${dm.id}/messages`))).toEqual([sent]);
      for (const { api } of [ada, ben]) {
        expect(await listed({ api })).toMatchObject([{ id: dm.id, last_message_id: sent.id }]);
        await expectOk(api.get(`/channels/${dm.id}`));
      }
      expect(await listed(other)).toEqual([]);
      for (const path of ['', '/messages', `/messages/${sent.id}`]) {
        expectError(await other.api.get(`/channels/${dm.id}${path}`), 403, 'MISSING_ACCESS');
      }
      expectError(await post({ channel: dm }, other, 'x'), 403, 'MISSING_ACCESS');
    });
  });

  describe('a group DM', () => {
    it('lets every recipient add people and leave, and only the opener remove people', async () => {
      const [ada, ben, cleo, dan, eve] = await people(5);
      if (dan === undefined || eve === undefined) throw new Error('five people');
      const group = await expectOk<PrivateChannel>(open(ada, ben, cleo));
      expect(group.type).toBe(3);
      const ids = async () =>
        (await expectOk<PrivateChannel>(ada.api.get(`/channels/${group.id}`))).recipients
          .map(({ id }) => id)
          .sort();
      const sorted = (...persons: Person[]) => persons.map(({ user }) => user.id).sort();
      expect(await ids()).toEqual(sorted(ben, cleo));
      expectError(await recipient(dan, 'PUT', group, eve.user.id), 403, 'MISSING_ACCESS');
      await expectNoContent(recipient(ben, 'PUT', group, dan.user.id));
      expect(await ids()).toEqual(sorted(ben, cleo, dan));
      expect((await expectOk<Message[]>(dan.api.get(`/channels/${group.id}/messages`)))[0]).toMatchObject({
        type: 1,
        author: { id: ben.user.id },
        mentions: [{ id: dan.user.id }],
      });
      await expectNoContent(recipient(ben, 'PUT', group, dan.user.id));
      expect(await ids(), 'adding a recipient again changes nothing').toEqual(sorted(ben, cleo, dan));
      expect((await recipient(ben, 'DELETE', group, dan.user.id)).status).toBe(403);
      await expectNoContent(recipient(ada, 'DELETE', group, dan.user.id));
      await expectNoContent(recipient(cleo, 'DELETE', group, cleo.user.id));
      expect(await ids()).toEqual(sorted(ben));
      for (const gone of [dan, cleo]) {
        expectError(await gone.api.get(`/channels/${group.id}/messages`), 403, 'MISSING_ACCESS');
        expect(await listed(gone)).toEqual([]);
      }
      await expectNoContent(recipient(ada, 'DELETE', group, ada.user.id));
      await expectNoContent(recipient(ben, 'PUT', group, eve.user.id));
      await expectNoContent(recipient(ben, 'DELETE', group, eve.user.id));
      await expectNoContent(recipient(ben, 'DELETE', group, ben.user.id));
      expectError(await ben.api.get(`/channels/${group.id}`), 404, 'NOT_FOUND');
    });
  });
}
