import { beforeAll, describe, expect, it } from 'vitest';
import { accessToken } from '../credentials/credential-set.ts';
import { type Api, type Reply, withGlobalRetry } from '../support/api.ts';
import { createBot } from '../support/bots.ts';
import { expectError } from '../support/expect-error.ts';
import { expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild, say, setEveryone } from '../support/guilds.ts';
import type { PrivateChannel, Role } from '../support/objects.ts';
import { type Caller, createGuild, type GuildFixture, newcomer, type Person } from '../support/people.ts';
import type { SharedStack } from '../support/stack.ts';
import { allBut } from './permission-bits.ts';
import { absences, fill, type Ids, OF_OTHERS, placeholders, ROUTES, type Row } from './route-table.ts';

const EVERY = [...ROUTES, ...OF_OTHERS];
/** An ID that nothing has. */
const UNKNOWN = '9223372036854775807';

/** Which callers each route accepts, and the errors for all others. */
export function routeRules(stack: SharedStack): void {
  const send = (api: Api, row: Row, ids: Ids): Promise<Reply> => {
    const [method, path] = fill(row, ids);
    return api.send(method, path, row.body === undefined ? {} : { body: row.body });
  };

  describe('each route of guilds, channels and messages', () => {
    let fixture: GuildFixture;
    let ids: Ids;
    let member: Person;
    beforeAll(async () => {
      fixture = await newGuild(stack.api);
      member = await join(stack.api, fixture);
      ids = await idsOf(fixture, fixture.owner, member);
    });

    const rejected = async (api: Api, row: Row, status: number, code: string) => {
      const reply = await send(api, row, ids);
      expect([row.route, reply.status, reply.json<{ code: string }>().code]).toEqual([
        row.route,
        status,
        code,
      ]);
    };

    it('needs a credential, except reading an invite', async () => {
      for (const row of EVERY) {
        if (row.who !== 'public') await rejected(withGlobalRetry(stack.api), row, 401, 'UNAUTHORIZED');
      }
      const looked = await stack.api.get(`/invites/${ids.code}`);
      expect(looked.json()).toMatchObject({ code: ids.code });
    });

    it('refuses users who are not members', async () => {
      const outsider = await newcomer(withGlobalRetry(stack.api));
      const inside = EVERY.filter(
        (row) => placeholders(row).length > 0 && !/^(GET|POST) \/invites/.test(row.route),
      );
      for (const row of inside) await rejected(outsider.api, row, 403, 'MISSING_ACCESS');
    });

    it('refuses access tokens without the scope, and accepts them on the scope’s routes', async () => {
      const { api } = fixture.owner;
      const { id: application_id } = await createBot(fixture.owner);
      const as = async (...scopes: string[]) => {
        const grant = {
          application_id,
          account_id: fixture.owner.user.id,
          scopes,
          expires: "now() + interval '1 hour'",
        };
        return api.as(`Bearer ${await accessToken(stack, grant)}`);
      };
      const [identify, guilds, connections] = [
        await as('identify'),
        await as('guilds'),
        await as('connections'),
      ];
      for (const row of EVERY) {
        if (row.who === 'public') continue;
        if (row.scope === undefined) await rejected(guilds, row, 403, 'ACCESS_DENIED');
        else {
          await rejected(identify, row, 403, 'MISSING_OAUTH_SCOPE');
          const granted = await send(row.scope === 'guilds' ? guilds : connections, row, ids);
          expect([row.route, granted.status, granted.text]).toEqual([
            row.route,
            200,
            (await send(api, row, ids)).text,
          ]);
        }
      }
    });

    it('names the missing object in its 404', async () => {
      for (const row of EVERY) {
        for (const [name, code] of absences(row)) {
          const nothing = { ...ids, [name]: name === 'code' ? 'nowhere0' : UNKNOWN };
          const reply = await send(fixture.owner.api, row, nothing);
          expect([row.route, name, reply.status, reply.json<{ code: string }>().code]).toEqual([
            row.route,
            name,
            404,
            code,
          ]);
        }
      }
    });

    it('refuses malformed IDs', async () => {
      for (const row of EVERY) {
        for (const name of placeholders(row).filter((each) => each !== 'code')) {
          const reply = await send(fixture.owner.api, row, { ...ids, [name]: '0x1f' });
          expectError(reply, 400, 'INVALID_FORM_BODY', {
            [name === 'group_id' ? 'channel_id' : name]: 'INVALID_SNOWFLAKE_FORMAT',
          });
        }
      }
    });

    it('refuses a member with every permission except the required one', async () => {
      await setEveryone(fixture, '0');
      const high = await createRole(fixture, { name: 'nearly all' });
      const held = await join(stack.api, fixture);
      await giveRole(fixture, held, high);
      const ofOwner = await say(fixture, fixture.owner, 'mine');
      const set = (permissions: string) =>
        expectOk<Role>(
          fixture.owner.api.send('PATCH', `/guilds/${fixture.guild.id}/roles/${high.id}`, {
            body: { permissions },
          }),
        );
      for (const needs of new Set(EVERY.flatMap((row) => row.needs ?? []))) {
        await set(allBut(needs));
        for (const row of EVERY.filter((each) => each.needs === needs)) {
          const reply = await send(held.api, row, { ...ids, message_id: ofOwner.id });
          expect([row.route, reply.status, reply.text && reply.json<{ code: string }>().code]).toEqual([
            row.route,
            403,
            'MISSING_PERMISSIONS',
          ]);
        }
      }
      await set(allBut());
      expectError(await held.api.send('DELETE', `/guilds/${ids.guild_id}`), 403, 'MISSING_PERMISSIONS');
    });
  });

  describe('a guild', () => {
    const walk = async (owner: Caller, isBot: boolean) => {
      const fixture = await createGuild(owner);
      const member = await join(stack.api, fixture);
      const ids = await idsOf(fixture, owner, member);
      for (const row of ROUTES) {
        const reply = await send(owner.api, row, ids);
        if (isBot && row.who === 'user') expectError(reply, 403, 'ACCESS_DENIED');
        else
          expect([row.route, reply.status, reply.text]).toEqual([
            row.route,
            row.status,
            row.status === 204 ? '' : reply.text,
          ]);
      }
      const { id } = member.user;
      expect((await owner.api.post('/users/@me/channels', { recipients: [id] })).status).toBe(200);
    };

    it('can be managed completely by its owner', async () => {
      await walk(await newcomer(withGlobalRetry(stack.api)), false);
    });

    it('can be managed by a bot, except on routes for users', async () => {
      const person = await newcomer(withGlobalRetry(stack.api));
      await walk(await createBot(person), true);
    });
  });

  /** One object of each kind in a guild: a message by the owner, and a group DM of the owner with two others. */
  async function idsOf(
    fixture: Pick<GuildFixture, 'guild' | 'channel' | 'invite'>,
    owner: Caller,
    member: Person,
  ): Promise<Ids> {
    const { guild, channel } = fixture;
    const others = [await newcomer(stack.api), await newcomer(stack.api)].map(({ user }) => user.id);
    const group = await expectOk<PrivateChannel>(
      owner.api.post('/users/@me/channels', { recipients: others }),
    );
    const role = await expectOk<Role>(owner.api.post(`/guilds/${guild.id}/roles`, { name: 'one' }));
    return {
      guild_id: guild.id,
      channel_id: channel.id,
      group_id: group.id,
      role_id: role.id,
      overwrite_id: role.id,
      user_id: member.user.id,
      message_id: (await say(fixture, owner, 'x')).id,
      code: await fixture.invite(),
    };
  }
}
