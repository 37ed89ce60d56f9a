import { describe, expect, it } from 'vitest';
import { expectError, expectNotJson } from '../support/expect-error.ts';
import type { Channel, Message } from '../support/objects.ts';
import { newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { REFUSED, text, WRONG_TYPES } from './refused-bodies.ts';

const EMBED = { title: 'old' };

export function editRules(suite: TestSuite): void {
  /** A webhook's message, and the ways to change it. */
  async function posted(body: object = { content: 'old', embeds: [EMBED] }) {
    const hook = await newHook(suite.api);
    const message = await hook.say(body);
    const path = `${hook.path}/messages/${message.id}`;
    const edit = (change: unknown) => suite.api.send('PATCH', path, { body: change });
    const edited = async (change: object) => {
      const reply = await edit(change);
      expect(reply.status, reply.text).toBe(200);
      return reply.json<Message>();
    };
    const read = async () => (await suite.api.get(path)).json<Message>();
    return { ...hook, message, path, edit, edited, read };
  }

  describe('an edit of a webhook’s message', () => {
    it.each(REFUSED)('with %s is refused, and changes nothing', async (_, body, entries) => {
      const { edit, read, message } = await posted();
      expectError(await edit(body), 400, 'INVALID_FORM_BODY', entries);
      expect(await read()).toEqual(message);
    });

    it.each(WRONG_TYPES.filter(([what]) => what !== 'username'))(
      'with %s of a wrong type is refused at its place',
      async (_, body, path) => {
        const { edit } = await posted();
        const { errors = [] } = expectError(await edit(body), 400, 'INVALID_FORM_BODY');
        expect(errors.map((entry) => entry.path)).toEqual([path]);
      },
    );

    it('leaves what it leaves out, and what is null but for the content', async () => {
      const { edited, message } = await posted();
      const { content, ...rest } = await edited({ content: ' new ', embeds: null, flags: null });
      const { content: _, edited_timestamp: __, ...before } = message;
      expect(content).toBe('new');
      expect(rest).toEqual({ ...before, edited_timestamp: expect.stringMatching(/Z$/) });
      expect((await edited({ flags: 4100 + 1 })).flags).toBe(4100);
      expect(await edited({ flags: 0, username: 'x', attachments: 'x', tts: 5 })).toMatchObject({
        content: 'new',
        flags: 0,
        embeds: [EMBED],
        author: message.author,
      });
    });

    it('removes embeds by [], and content by null or nothing where embeds remain or come', async () => {
      const one = await posted();
      expect((await one.edited({ content: 'old', embeds: [] })).embeds).toEqual([]);
      for (const content of [null, '', ' \n']) {
        const { edited } = await posted();
        expect(await edited({ content, flags: 0 })).toMatchObject({ content: '', embeds: [EMBED] });
      }
      const { edited } = await posted({ content: 'old' });
      const instead = await edited({ content: null, embeds: [{ title: 'instead' }] });
      expect(instead).toMatchObject({ content: '', embeds: [{ title: 'instead' }] });
    });

    it('sets edited_timestamp by another content alone', async () => {
      const { edited } = await posted();
      for (const change of [
        { embeds: [{ title: 'new' }] },
        { flags: 4 },
        { content: 'old ' },
        { content: 'old', embeds: [] },
      ])
        expect((await edited(change)).edited_timestamp).toBeNull();
      expect((await edited({ content: 'new' })).edited_timestamp).toEqual(expect.any(String));
    });

    it.each<[object]>([
      [{}],
      [{ content: null }],
      [{ content: ' ', flags: 4 }],
      [{ embeds: [] }],
      [{ content: '', embeds: [{}] }],
      [{ allowed_mentions: { parse: [] } }],
      [{ username: 'x' }],
    ])('that brings nothing is CANNOT_SEND_EMPTY_MESSAGE: %j', async (body) => {
      for (const old of [{ content: 'old' }, { content: 'old', embeds: [EMBED] }]) {
        const { edit } = await posted(old);
        if (Object.hasOwn(body, 'flags') && old.embeds) continue;
        expectError(await edit(body), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
      }
    });

    it('notifies nobody unless allowed_mentions says so, by the six rules', async () => {
      const { edited, edit, owner } = await posted({ content: 'old' });
      const content = `<@${owner.user.id}> @everyone`;
      const mentions = async (allowed_mentions?: object) => {
        const change = {
          content: `${content} ${Math.random()}`,
          ...(allowed_mentions && { allowed_mentions }),
        };
        const { mentions: users, mention_everyone } = await edited(change);
        return [users.map(({ id }) => id), mention_everyone];
      };
      expect(await mentions()).toEqual([[], false]);
      expect(await mentions({})).toEqual([[], false]);
      expect(await mentions({ parse: ['users', 'roles'] })).toEqual([[owner.user.id], false]);
      expect(await mentions({ parse: ['everyone'] })).toEqual([[], true]);
      expect(await mentions({ users: [owner.user.id] })).toEqual([[owner.user.id], false]);
      expect(await mentions({ users: ['1'] })).toEqual([[], false]);
      expectError(
        await edit({ content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } }),
        400,
        'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER',
        { allowed_mentions: 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER' },
      );
    });

    it('takes 4,000 characters, JSON alone, and no multipart body', async () => {
      const { edited, path } = await posted();
      expect((await edited({ content: ` ${text(4000)} ` })).content).toBe(text(4000));
      const send = (body: string, type: string) =>
        suite.api.send('PATCH', path, { body, headers: { 'content-type': type } });
      expectNotJson(await send('{', 'application/json'));
      expectNotJson(await send('{"content":"x"}', 'multipart/form-data; boundary=x'));
      expect((await send('{"content":"x"}', 'text/plain')).json<Message>().content).toBe('x');
    });
  });

  describe('a deletion of a webhook’s message', () => {
    it('is 204, once', async () => {
      const { path, messages } = await posted();
      const replies = await Promise.all(Array.from({ length: 16 }, () => suite.api.send('DELETE', path)));
      expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(15).fill(404)]);
      for (const reply of replies) if (reply.status === 404) expectError(reply, 404, 'UNKNOWN_MESSAGE');
      expect(await messages()).toEqual([]);
    });
  });

  it('a webhook reaches its messages in the channel that it is in: not after a move, but after a move back', async () => {
    const { owner, guild, webhook, path, message } = await posted();
    const created = await owner.api.post(`/guilds/${guild.id}/channels`, { name: 'other', type: 0 });
    const move = async (channel_id: string) => {
      const reply = await owner.api.send('PATCH', `/webhooks/${webhook.id}`, { body: { channel_id } });
      expect(reply.status, reply.text).toBe(200);
    };
    await move(created.json<Channel>().id);
    const change = { body: { content: 'x' } };
    for (const reply of [
      await suite.api.get(path),
      await suite.api.send('PATCH', path, change),
      await suite.api.send('DELETE', path),
    ])
      expectError(reply, 404, 'UNKNOWN_MESSAGE');
    await move(webhook.channel_id);
    expect((await suite.api.get(path)).json()).toEqual(message);
    expect((await suite.api.send('PATCH', path, change)).json<Message>().content).toBe('x');
    expect((await suite.api.send('DELETE', path)).status).toBe(204);
  });
}
