import { describe, expect, it } from 'vitest';
import { createChannel, done, ok } from '../chat/guild-fixture.ts';
import { unhurried } from '../support/api.ts';
import type { AuditEntry, AuditLog, Message, Webhook } from '../support/objects.ts';
import { hookIn } from '../support/people.ts';
import { png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook, patch, remove } from './calls.ts';

const MANY = 16;

const together = <T>(send: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: MANY }, (_, n) => send(n)));

export function races(suite: TestSuite): void {
  const api = () => unhurried(suite.api);
  const entries = async (guild_id: string, by: { api: ReturnType<typeof api> }, number: number) => {
    const log = await ok<AuditLog>(by.api.get(`/guilds/${guild_id}/audit-logs?action_type=${number}`));
    return log.audit_log_entries.toReversed();
  };
  const changeOf = (entry: AuditEntry, key: string) => entry.changes?.find((change) => change.key === key);

  describe('many callers at once', () => {
    it('rename a webhook one after the other: each entry begins where the last ended', async () => {
      const { owner, guild, webhook } = await openHook(suite);
      const renamed = await together((n) => patch(owner.api, webhook.id, { name: `name ${n}` }));
      expect(renamed.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
      const changes = (await entries(guild.id, owner, 51)).map((entry) => changeOf(entry, 'name'));
      expect(changes).toHaveLength(MANY);
      const now = await ok<Webhook>(owner.api.get(`/webhooks/${webhook.id}`));
      expect(changes.map((change) => change?.old_value)).toEqual([
        'Build',
        ...changes.slice(0, -1).map((change) => change?.new_value),
      ]);
      expect(changes.at(-1)?.new_value).toBe(now.name);
    });

    it('change a name here and an avatar there, and neither is lost', async () => {
      const { owner, webhook, path } = await openHook(suite);
      const face = png(2, 8).toString('base64');
      const replies = await together((n) =>
        n % 2
          ? patch(owner.api, webhook.id, { name: 'Renamed' })
          : api().send('PATCH', path, { body: { avatar: face } }),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      const now = await ok<Webhook>(owner.api.get(`/webhooks/${webhook.id}`));
      expect(now).toMatchObject({ name: 'Renamed', avatar: expect.stringMatching(/^[0-9a-f]{32}$/) });
    });

    it('delete a webhook once, with one entry', async () => {
      const { owner, guild, webhook } = await openHook(suite);
      const replies = await together(() => remove(owner.api, webhook.id));
      expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(MANY - 1).fill(404)]);
      expect(await entries(guild.id, owner, 52)).toHaveLength(1);
    });

    it('post while it is deleted: what was admitted is there, and nothing else', async () => {
      const hook = await openHook(suite);
      const replies = await together((n) =>
        n === 7 ? remove(hook.owner.api, hook.webhook.id) : hook.execute({ content: `${n}` }),
      );
      const posted = replies.filter((reply, n) => n !== 7 && reply.status === 204).length;
      expect(replies.every(({ status }) => [204, 404].includes(status))).toBe(true);
      expect(await hook.messages()).toHaveLength(posted);
    });

    it('post while it moves: each message is in one of the two channels', async () => {
      const hook = await openHook(suite);
      const { owner, webhook, channel } = hook;
      const room = await createChannel(hook, { name: 'room' });
      const replies = await together((n) =>
        n % 4 === 0
          ? patch(owner.api, webhook.id, { channel_id: n % 8 ? channel.id : room.id })
          : hook.execute({ content: `${n}` }),
      );
      expect(replies.every(({ status }) => status === 200 || status === 204)).toBe(true);
      const there = await ok<Message[]>(owner.api.get(`/channels/${room.id}/messages`));
      const said = [...there, ...(await hook.messages())].map(({ content }) => content);
      expect(said.sort()).toEqual(
        Array.from({ length: MANY }, (_, n) => `${n}`)
          .filter((n) => Number(n) % 4)
          .sort(),
      );
    });

    it('post while its channel is deleted: 204 or 404, and none fails', async () => {
      const hook = await openHook(suite);
      const room = await createChannel(hook, { name: 'room' });
      const there = await hookIn({ ...hook, channel: room }, api());
      const replies = await together((n) =>
        n === 7 ? hook.owner.api.send('DELETE', `/channels/${room.id}`) : there.execute({ content: 'x' }),
      );
      for (const { status, text } of replies) expect([204, 404], text).toContain(status);
    });

    it('edit a message: one of the texts is there, whole', async () => {
      const hook = await openHook(suite);
      const { id } = await hook.say({ content: 'old' });
      const at = `${hook.path}/messages/${id}`;
      const texts = Array.from({ length: MANY }, (_, n) => `${n}`.repeat(500));
      const edited = await together((n) =>
        suite.api.send('PATCH', at, { body: { content: texts[n], embeds: [{ title: `${n}` }] } }),
      );
      expect(edited.map(({ status }) => status)).toEqual(Array(MANY).fill(200));
      const { content, embeds } = await ok<Message>(suite.api.get(at));
      expect(embeds[0]?.title?.repeat(500), 'text and embed of the same edit').toBe(content);
      await done(suite.api.send('DELETE', at));
    });
  });
}
