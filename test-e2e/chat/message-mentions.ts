import { describe, expect, it } from 'vitest';
import { createRole, giveRole, join, newGuild, say } from '../support/guilds.ts';
import type { Message, User } from '../support/objects.ts';
import type { GuildFixture, Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { bits } from './permission-bits.ts';

export function messageMentions(stack: TestStack): void {
  async function openMentionFixture(): Promise<
    GuildFixture & { ada: Person; ben: Person; role: { id: string } }
  > {
    const fixture = await newGuild(stack.api);
    const [ada, ben] = [await join(stack.api, fixture), await join(stack.api, fixture)];
    return { ...fixture, ada, ben, role: await createRole(fixture, { mentionable: true }) };
  }
  const notified = ({ mentions, mention_roles, mention_everyone }: Message) => ({
    users: mentions.map(({ id }: User) => id).sort(),
    roles: mention_roles,
    everyone: mention_everyone,
  });

  describe('the mentions of a message', () => {
    it('notify every mentioned user and role, unless allowed_mentions restricts them', async () => {
      const fixture = await openMentionFixture();
      const [ada, ben] = [fixture.ada.user.id, fixture.ben.user.id].sort() as [string, string];
      const content = `<@${ada}> <@!${ben}> <@${ada}> <@&${fixture.role.id}> @everyone`;
      const says = async (allowed_mentions?: object) =>
        notified(
          await say(fixture, fixture.owner, { content, ...(allowed_mentions && { allowed_mentions }) }),
        );
      const all = { users: [ada, ben], roles: [fixture.role.id], everyone: true };
      const none = { users: [], roles: [], everyone: false };
      expect(await says()).toEqual(all);
      expect(await says({})).toEqual(none);
      expect(await says({ parse: [] })).toEqual(none);
      expect(await says({ parse: ['users', 'roles', 'everyone'] })).toEqual(all);
      expect(await says({ parse: ['users'] })).toEqual({ ...none, users: [ada, ben] });
      expect(await says({ parse: ['roles'] })).toEqual({ ...none, roles: [fixture.role.id] });
      expect(await says({ parse: ['everyone'] })).toEqual({ ...none, everyone: true });
      expect(await says({ users: [ada] })).toEqual({ ...none, users: [ada] });
      expect(await says({ users: ['1'], roles: [fixture.role.id] })).toEqual({
        ...none,
        roles: [fixture.role.id],
      });
      expect(await says({ parse: [], users: [ben] })).toEqual({ ...none, users: [ben] });
    });

    it('of everyone notify nobody without MENTION_EVERYONE', async () => {
      const fixture = await openMentionFixture();
      for (const content of ['@everyone', 'hello @here']) {
        expect((await say(fixture, fixture.ada, content)).mention_everyone).toBe(false);
        expect((await say(fixture, fixture.owner, content)).mention_everyone).toBe(true);
      }
      await giveRole(
        fixture,
        fixture.ada,
        await createRole(fixture, { permissions: bits('MENTION_EVERYONE') }),
      );
      expect((await say(fixture, fixture.ada, '@everyone')).mention_everyone).toBe(true);
    });
  });
}
