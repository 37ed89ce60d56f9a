import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { type Hook, newcomer, newHook } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';

export function mentions(suite: TestSuite): void {
  describe('the mentions of an execution', () => {
    const mention = ({ owner }: Hook) => `<@${owner.user.id}> <@!${owner.user.id}> @everyone @here`;

    it('notify nobody unless allowed_mentions says so', async () => {
      const hook = await newHook(suite.api);
      const bodies = [
        {},
        { allowed_mentions: {} },
        { allowed_mentions: { parse: [] } },
        { allowed_mentions: { parse: ['roles'] } },
      ];
      for (const body of bodies) {
        const message = await hook.say({ content: mention(hook), ...body });
        expect(message).toMatchObject({
          content: mention(hook),
          mentions: [],
          mention_everyone: false,
          mention_roles: [],
        });
      }
    });

    it('notify whom it names', async () => {
      const hook = await newHook(suite.api);
      const say = (allowed_mentions: object) => hook.say({ content: mention(hook), allowed_mentions });
      const { id } = hook.owner.user;
      expect(await say({ parse: ['users'] })).toMatchObject({ mentions: [{ id }], mention_everyone: false });
      expect(await say({ parse: ['everyone'] })).toMatchObject({ mentions: [], mention_everyone: true });
      expect(await say({ users: [id] })).toMatchObject({ mentions: [{ id }], mention_everyone: false });
      const stranger = await newcomer(suite.api);
      expect(await say({ users: [stranger.user.id] })).toMatchObject({ mentions: [] });
      expect(
        await hook.say({
          content: '<@1> <@&1> <@x> <@',
          allowed_mentions: { parse: ['users', 'roles', 'everyone'] },
        }),
      ).toMatchObject({
        mentions: [],
        mention_roles: [],
        mention_everyone: false,
      });
    });

    it('cannot be given both ways', async () => {
      const hook = await newHook(suite.api);
      const code = 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER';
      for (const allowed_mentions of [
        { parse: ['users'], users: ['1'] },
        { parse: ['everyone'], roles: ['1'] },
      ]) {
        expectError(await hook.execute({ content: 'x', allowed_mentions }), 400, code, {
          allowed_mentions: code,
        });
      }
      for (const allowed_mentions of [
        { parse: [], users: ['1'] },
        { parse: ['users'], users: [], roles: [] },
      ]) {
        expect((await hook.execute({ content: 'x', allowed_mentions })).status).toBe(204);
      }
    });
  });
}
