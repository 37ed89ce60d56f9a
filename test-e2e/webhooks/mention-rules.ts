import { describe, expect, it } from 'vitest';
import { createRole, giveRole, join, ok } from '../chat/guild-fixture.ts';
import { expectError } from '../support/expect-error.ts';
import type { Message } from '../support/objects.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';

const CONFLICT = 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER';

/** Whom a message notifies: the users by ID, and whether everyone. */
const notified = ({ mentions, mention_everyone }: Message) => [
  mentions.map(({ id }) => id).sort(),
  mention_everyone,
];

export function mentionRules(suite: TestSuite): void {
  /** A webhook, two members of its guild and a role of one of them. */
  async function open() {
    const hook = await openHook(suite);
    const [ann, ben] = [await join(suite.api, hook), await join(suite.api, hook)];
    const role = await createRole(hook, { name: 'crew', mentionable: true });
    await giveRole(hook, ann, role);
    const content = `<@${ann.user.id}> <@!${ben.user.id}> <@${ann.user.id}> <@&${role.id}> @everyone @here`;
    return { ...hook, ann: ann.user.id, ben: ben.user.id, role: role.id, content };
  }

  describe('the six mention rules', () => {
    it('hold on execution and on edit', async () => {
      const { say, path, content, ann, ben, role } = await open();
      const { id } = await say({ content: 'before' });
      const rules: [object | null | undefined, string[], boolean][] = [
        [undefined, [], false],
        [null, [], false],
        [{}, [], false],
        [{ parse: [] }, [], false],
        [{ parse: ['roles'] }, [], false],
        [{ parse: ['users'] }, [ann, ben], false],
        [{ parse: ['everyone'] }, [], true],
        [{ parse: ['users', 'everyone', 'roles'] }, [ann, ben], true],
        [{ parse: ['users'], users: [], roles: [] }, [ann, ben], false],
        [{ users: [ben] }, [ben], false],
        [{ parse: [], users: [ann, ben, '4'] }, [ann, ben], false],
        [{ users: ['4'] }, [], false],
        [{ users: [] }, [], false],
        [{ roles: [role] }, [], false],
        [{ users: [ann], roles: [role], replied_user: true }, [ann], false],
      ];
      for (const [n, [allowed_mentions, users, everyone]] of rules.entries()) {
        const body = {
          content: `${content} ${n}`,
          ...(allowed_mentions !== undefined && { allowed_mentions }),
        };
        const said = await say(body);
        expect(notified(said), JSON.stringify(allowed_mentions)).toEqual([users.toSorted(), everyone]);
        expect([said.mention_roles, said.content]).toEqual([[], body.content]);
        const edited = await ok<Message>(suite.api.send('PATCH', `${path}/messages/${id}`, { body }));
        expect(notified(edited), `edit: ${JSON.stringify(allowed_mentions)}`).toEqual([
          users.toSorted(),
          everyone,
        ]);
        expect(edited.mention_roles).toEqual([]);
      }
    });

    it('refuse parse beside users or roles, with an entry, even where nothing is mentioned', async () => {
      const { execute, say, path } = await open();
      const { id } = await say({ content: 'before' });
      for (const allowed_mentions of [
        { parse: ['users'], users: ['4'] },
        { parse: ['users'], roles: ['4'] },
        { parse: ['everyone'], users: ['4'] },
        { parse: ['everyone', 'roles'], users: ['4'], roles: ['4'] },
      ]) {
        const body = { content: 'x', allowed_mentions };
        expectError(await execute(body), 400, CONFLICT, { allowed_mentions: CONFLICT });
        const edit = await suite.api.send('PATCH', `${path}/messages/${id}`, { body });
        expectError(edit, 400, CONFLICT, { allowed_mentions: CONFLICT });
      }
    });

    it('take lists of snowflakes, of at most 100', async () => {
      const { execute, ann, say, content } = await open();
      const many = (count: number) => Array.from({ length: count }, (_, n) => `${n + 5}`);
      for (const [allowed_mentions, at] of [
        [{ users: many(101) }, 'allowed_mentions.users'],
        [{ roles: many(101) }, 'allowed_mentions.roles'],
        [{ users: [5.5] }, 'allowed_mentions.users.0'],
        [{ users: ['4', '0x4'] }, 'allowed_mentions.users.1'],
        [{ roles: ['x'] }, 'allowed_mentions.roles.0'],
        [{ users: 'all' }, 'allowed_mentions.users'],
        [{ parse: 'users' }, 'allowed_mentions.parse'],
        [[], 'allowed_mentions'],
      ] as const) {
        const reply = await execute({ content: 'x', allowed_mentions });
        const { errors = [] } = expectError(reply, 400, 'INVALID_FORM_BODY');
        expect(errors.map(({ path }) => path)).toEqual([at]);
      }
      const users = [...many(99), ann];
      expect(notified(await say({ content, allowed_mentions: { users } }))).toEqual([[ann], false]);
    });

    it('read the content alone, and only what is written in full', async () => {
      const { say, ann } = await open();
      const allowed_mentions = { parse: ['users', 'everyone'] };
      const embeds = [{ title: `<@${ann}>`, description: `<@${ann}> @everyone @here` }];
      expect(notified(await say({ embeds, allowed_mentions }))).toEqual([[], false]);
      const content = `@${ann} <${ann}> <@ ${ann}> <@${ann} <@!> <@&${ann}> <#${ann}> @ everyone everyone`;
      expect(notified(await say({ content, allowed_mentions }))).toEqual([[], false]);
      expect(notified(await say({ content: '@here', allowed_mentions }))).toEqual([[], true]);
    });

    it('are asked anew when an edit changes the content, and not when it does not', async () => {
      const { say, path, content, ann, ben } = await open();
      const loud = await say({ content, allowed_mentions: { parse: ['users', 'everyone'] } });
      const edit = (body: object) =>
        ok<Message>(suite.api.send('PATCH', `${path}/messages/${loud.id}`, { body }));
      expect(notified(await edit({ embeds: [{ title: 'x' }] }))).toEqual([[ann, ben].sort(), true]);
      expect(notified(await edit({ flags: 4 }))).toEqual([[ann, ben].sort(), true]);
      expect(notified(await edit({ content: `${content} more` }))).toEqual([[], false]);
    });

    it('let nobody be notified by the provider routes', async () => {
      const { path, content, messages } = await open();
      const allowed_mentions = { parse: ['users', 'everyone'] };
      expect((await suite.api.post(`${path}/chatcompat`, { text: content, allowed_mentions })).text).toBe(
        'ok',
      );
      await suite.api.post(`${path}/statuspage`, { incident: { name: content }, allowed_mentions });
      const repository = { full_name: content, name: content };
      await suite.api.post(`${path}/codehost`, { repository }, { 'x-codehost-event': 'public' });
      const posted = await messages();
      expect(posted).toHaveLength(3);
      for (const message of posted) expect(notified(message)).toEqual([[], false]);
    });
  });
}
