import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { link, REFUSED, text, WRONG_TYPES } from './refused-bodies.ts';

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
      expectError(await hook.execute({ content: 'x', username }), 400, 'INVALID_FORM_BODY', {
        username: 'WEBHOOK_NAME_LENGTH_INVALID',
      });
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
}
