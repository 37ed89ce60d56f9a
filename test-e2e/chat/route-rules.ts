import { beforeAll, describe, expect, it } from 'vitest';
import { accessToken } from '../credentials/kinds.ts';
import { type Api, type Reply, unhurried } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { PrivateChannel, Role } from '../support/objects.ts';
import { type Caller, newcomer, type Person } from '../support/people.ts';
import type { SharedStack } from '../support/stack.ts';
import {
  createRole,
  type GuildFixture,
  giveRole,
  guildFor,
  join,
  newBot,
  newGuild,
  ok,
  say,
  setEveryone,
} from './guild-fixture.ts';
import { allBut } from './permission-bits.ts';
import { absences, fill, type Ids, OF_OTHERS, placeholders, ROUTES, type Row } from './route-table.ts';

const EVERY = [...ROUTES, ...OF_OTHERS];
/** Nothing has it. */
const UNKNOWN = '9223372036854775807';

/** Who may call each route, and what the others get. */
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

    it('is closed without a credential, but for a look at an invite', async () => {
      for (const row of EVERY) {
        if (row.who !== 'public') await rejected(unhurried(stack.api), row, 401, 'UNAUTHORIZED');
      }
      const looked = await stack.api.get(`/invites/${ids.code}`);
      expect(looked.json()).toMatchObject({ code: ids.code });
    });

    it('is closed to people of elsewhere', async () => {
      const outsider = await newcomer(unhurried(stack.api));
      const inside = EVERY.filter(
        (row) => placeholders(row).length > 0 && !/^(GET|POST) \/invites/.test(row.route),
      );
      for (const row of inside) await rejected(outsider.api, row, 403, 'MISSING_ACCESS');
    });

    it('is closed to access tokens, but for those that a scope opens', async () => {
      const { api } = fixture.owner;
      const { id: application_id } = await newBot(fixture.owner);
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

    it('tells what does not exist', async () => {
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

    it('judges IDs by their form', async () => {
      for (const row of EVERY) {
        for (const name of placeholders(row).filter((each) => each !== 'code')) {
          const reply = await send(fixture.owner.api, row, { ...ids, [name]: '0x1f' });
          expectError(reply, 400, 'INVALID_FORM_BODY', {
            [name === 'group_id' ? 'channel_id' : name]: 'INVALID_SNOWFLAKE_FORMAT',
          });
        }
      }
    });

    it('is closed to a member without its permission, who has every other', async () => {
      await setEveryone(fixture, '0');
      const high = await createRole(fixture, { name: 'nearly all' });
      const held = await join(stack.api, fixture);
      await giveRole(fixture, held, high);
      const ofOwner = await say(fixture, fixture.owner, 'mine');
      const set = (permissions: string) =>
        ok<Role>(
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
      const fixture = await guildFor(owner);
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

    it('can be used to the full by its owner', async () => {
      await walk(await newcomer(unhurried(stack.api)), false);
    });

    it('can be used by a bot as by a person, but for what is for people', async () => {
      const person = await newcomer(unhurried(stack.api));
      await walk(await newBot(person), true);
    });
  });

  /** One of each in a guild: the message is the owner's, who has a group DM with two others. */
  async function idsOf(
    fixture: Pick<GuildFixture, 'guild' | 'channel' | 'invite'>,
    owner: Caller,
    member: Person,
  ): Promise<Ids> {
    const { guild, channel } = fixture;
    const others = [await newcomer(stack.api), await newcomer(stack.api)].map(({ user }) => user.id);
    const group = await ok<PrivateChannel>(owner.api.post('/users/@me/channels', { recipients: others }));
    const role = await ok<Role>(owner.api.post(`/guilds/${guild.id}/roles`, { name: 'one' }));
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
