import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild, post, say } from '../support/guilds.ts';
import type { Message } from '../support/objects.ts';
import type { GuildFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { bits } from './permission-bits.ts';

const CLOCK = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function messages(stack: TestStack): void {
  const list = ({ owner, channel }: GuildFixture, query = '') =>
    expectOk<Message[]>(owner.api.get(`/channels/${channel.id}/messages${query}`));
  const patch = ({ channel }: GuildFixture, by: GuildFixture['owner'], id: string, body: object) =>
    by.api.send('PATCH', `/channels/${channel.id}/messages/${id}`, { body });

  describe('a message', () => {
    it('is the same in the create response, when read and when listed', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, channel } = fixture;
      const { id, username } = owner.user;
      const embeds = [{ title: 'T', fields: [{ name: 'n', value: 'v', inline: true }] }];
      const sent = await say(fixture, owner, {
        content: '  hello\n',
        embeds,
        nonce: '42',
        flags: 4 | 64 | 4096,
      });
      expect(sent).toEqual({
        id: expect.stringMatching(/^\d+$/),
        channel_id: channel.id,
        author: { id, username, discriminator: '0', global_name: null, avatar: null, bot: false },
        type: 0,
        flags: 4100,
        content: 'hello',
        timestamp: expect.stringMatching(CLOCK),
        edited_timestamp: null,
        pinned: false,
        mention_everyone: false,
        tts: false,
        mentions: [],
        mention_roles: [],
        embeds: [{ type: 'rich', ...embeds[0] }],
        attachments: [],
        nonce: '42',
      });
      const { nonce: _, ...stored } = sent;
      expect(await expectOk(owner.api.get(`/channels/${channel.id}/messages/${sent.id}`))).toEqual(stored);
      expect(await list(fixture)).toEqual([stored]);
      expect(await expectOk(owner.api.get(`/channels/${channel.id}`))).toMatchObject({
        last_message_id: sent.id,
      });
    });

    it('is edited only by its author; only a changed content sets edited_timestamp', async () => {
      const fixture = await newGuild(stack.api);
      const member = await join(stack.api, fixture);
      const moderator = await join(stack.api, fixture);
      await giveRole(fixture, moderator, await createRole(fixture, { permissions: bits('MANAGE_MESSAGES') }));
      const sent = await say(fixture, member, { content: 'one', embeds: [{ title: 'kept' }] });
      for (const other of [fixture.owner, moderator]) {
        expectError(await patch(fixture, other, sent.id, { content: 'theirs' }), 403, 'MISSING_PERMISSIONS');
      }
      const same = await expectOk<Message>(patch(fixture, member, sent.id, { content: 'one' }));
      expect(same.edited_timestamp).toBeNull();
      const edited = await expectOk<Message>(patch(fixture, member, sent.id, { content: ' two ' }));
      expect(edited).toMatchObject({ content: 'two', embeds: sent.embeds, timestamp: sent.timestamp });
      expect(edited.edited_timestamp).toMatch(CLOCK);
      const bare = await expectOk<Message>(patch(fixture, member, sent.id, { embeds: [] }));
      expect(bare).toMatchObject({ content: 'two', embeds: [] });
      expectError(await patch(fixture, member, sent.id, { content: '' }), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
      expectError(
        await patch(fixture, member, sent.id, { content: 'x'.repeat(4001) }),
        400,
        'INVALID_FORM_BODY',
        {
          content: 'CONTENT_EXCEEDS_MAX_LENGTH',
        },
      );
      expect(await list(fixture)).toEqual([bare]);
    });

    it('is deleted by its author or with MANAGE_MESSAGES', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, channel } = fixture;
      const [member, other] = [await join(stack.api, fixture), await join(stack.api, fixture)];
      const path = async (by: GuildFixture['owner']) =>
        `/channels/${channel.id}/messages/${(await say(fixture, by, 'x')).id}`;
      const [own, another, ofOwner] = [await path(member), await path(member), await path(owner)];
      expectError(await other.api.send('DELETE', own), 403, 'MISSING_PERMISSIONS');
      expectError(await member.api.send('DELETE', ofOwner), 403, 'MISSING_PERMISSIONS');
      await expectNoContent(member.api.send('DELETE', own));
      await giveRole(fixture, other, await createRole(fixture, { permissions: bits('MANAGE_MESSAGES') }));
      for (const each of [another, ofOwner]) await expectNoContent(other.api.send('DELETE', each));
      for (const each of [own, another, ofOwner]) {
        expectError(await owner.api.get(each), 404, 'UNKNOWN_MESSAGE');
        expectError(await owner.api.send('DELETE', each), 404, 'UNKNOWN_MESSAGE');
      }
      expect(await list(fixture)).toEqual([]);
    });

    it('exists only in its own channel', async () => {
      const here = await newGuild(stack.api);
      const there = await newGuild(stack.api);
      const { id } = await say(there, there.owner, 'x');
      for (const method of ['GET', 'DELETE']) {
        const reply = await here.owner.api.send(method, `/channels/${here.channel.id}/messages/${id}`);
        expectError(reply, 404, 'UNKNOWN_MESSAGE');
      }
      expectError(await patch(here, here.owner, id, { content: 'y' }), 404, 'UNKNOWN_MESSAGE');
    });
  });

  it('an invalid message is refused with every error in it', async () => {
    const fixture = await newGuild(stack.api);
    const send = (body: object) => post(fixture, fixture.owner, body);
    const embeds = [
      { title: 'x' },
      { title: 'x'.repeat(257), color: -1, fields: [{ name: '', value: 'x' }] },
    ];
    expectError(await send({ content: 'x'.repeat(4001), embeds }), 400, 'INVALID_FORM_BODY', {
      content: 'CONTENT_EXCEEDS_MAX_LENGTH',
      'embeds.1.color': 'COLOR_VALUE_TOO_LOW',
      'embeds.1.fields.0.name': 'STRING_LENGTH_INVALID',
      'embeds.1.title': 'STRING_LENGTH_INVALID',
    });
    const { errors = [] } = expectError(await send({ content: 5, embeds: [7] }), 400, 'INVALID_FORM_BODY');
    expect(errors.map(({ path }) => path)).toEqual(['content', 'embeds.0']);
    expectError(await send({ nonce: 'n' }), 400, 'CANNOT_SEND_EMPTY_MESSAGE');
  });

  describe('the messages of a channel', () => {
    it('are listed newest first, before, after or around a message', async () => {
      const fixture = await newGuild(stack.api);
      const sent: Message[] = [];
      for (let n = 0; n < 9; n += 1) sent.push(await say(fixture, fixture.owner, `m${n}`));
      const at = (n: number) => sent[n]?.id;
      const contents = async (query: string) =>
        (await list(fixture, query)).map(({ content }) => content).join(' ');
      expect(await contents('')).toBe('m8 m7 m6 m5 m4 m3 m2 m1 m0');
      expect(await contents('?limit=3')).toBe('m8 m7 m6');
      expect(await contents(`?before=${at(4)}&limit=2`)).toBe('m3 m2');
      expect(await contents(`?after=${at(4)}&limit=2`), 'the nearest after it').toBe('m6 m5');
      expect(await contents(`?around=${at(4)}&limit=5`)).toBe('m6 m5 m4 m3 m2');
      expect(await contents(`?around=${at(4)}&limit=1`)).toBe('m4');
      expect(await contents(`?around=${at(0)}&limit=5`)).toBe('m2 m1 m0');
      expect(await contents(`?after=${at(8)}`)).toBe('');
      expect(await contents(`?before=${at(0)}`)).toBe('');
      expect(await contents('?before=9223372036854775807&limit=1')).toBe('m8');
      await expectNoContent(
        fixture.owner.api.send('DELETE', `/channels/${fixture.channel.id}/messages/${at(4)}`),
      );
      expect(await contents(`?around=${at(4)}&limit=5`), 'the message itself may be deleted').toContain(
        'm6 m5 m3 m2',
      );
      expect(await contents(`?before=${at(4)}&limit=1`)).toBe('m3');
    });

    it('are not listed with invalid parameters', async () => {
      const { owner, channel } = await newGuild(stack.api);
      for (const [query, entries] of [
        ['limit=0', { limit: 'VALUE_MUST_BE_INTEGER_IN_RANGE' }],
        ['limit=101', { limit: 'VALUE_MUST_BE_INTEGER_IN_RANGE' }],
        ['around=0x1', { around: 'INVALID_SNOWFLAKE_FORMAT' }],
        ['before=-1', { before: 'INVALID_SNOWFLAKE_FORMAT' }],
      ] as const) {
        const reply = await owner.api.get(`/channels/${channel.id}/messages?${query}`);
        expectError(reply, 400, 'INVALID_FORM_BODY', entries);
      }
    });
  });
}
