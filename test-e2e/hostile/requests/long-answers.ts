import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../support/database.ts';
import type { Invite } from '../../support/objects.ts';
import { createGuild, newcomer, type Person } from '../../support/people.ts';
import type { Asker } from '../attacks/request-loop.ts';
import { ATTACKER, type AttackSetup, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';

const ACCOUNTS = 6;
const LISTS_AT_ONCE = 10;
/** Maximum number of channels of a guild, with the maximum number of overwrites and topics of maximum length. */
const FILL = `
  WITH channel AS (
    INSERT INTO channels (id, guild_id, type, name, topic, position)
    SELECT $1::bigint + 1000000 + n, $1, 0, 'channel', repeat('t', 1024), n FROM generate_series(1, 499) AS n
    RETURNING id
  )
  INSERT INTO permission_overwrites (channel_id, id, type, allow)
  SELECT id, 900000000000000000 + n, 1, 1024 FROM channel, generate_series(1, 100) AS n ORDER BY 1, 2 LIMIT 5000`;

/** Clients that request long responses, in a guild of maximum size. */
export function longAnswers(setup: AttackSetup, database: Pick<OpenDatabase, 'query'>): void {
  let askers: readonly Asker[] = [];
  let reader: { readonly path: string; readonly token: string };
  beforeAll(async () => {
    const { owner, guild, channel } = await createGuild(await newcomer(setup.stack.api));
    await database.query('chat', FILL, [guild.id]);
    await database.query('chat', 'ANALYZE', []); // cached plans are for empty tables
    const invite = (await owner.api.post(`/channels/${channel.id}/invites`, {})).json<Invite>();
    const people = await Promise.all(Array.from({ length: ACCOUNTS + 1 }, () => newcomer(setup.stack.api)));
    for (const { api } of people) expect((await api.post(`/invites/${invite.code}`)).status).toBe(200);
    const [mover, ...members] = people as [Person, ...Person[]];
    const guildPath = `/api/v1/guilds/${guild.id}`;
    const order = (position: number) => ({
      method: 'PATCH',
      path: `${guildPath}/channels`,
      body: JSON.stringify({
        positions: Array.from({ length: 499 }, (_, n) => ({
          id: String(BigInt(guild.id) + BigInt(1_000_001 + n)),
          position,
        })),
      }),
    });
    askers = [
      ...members.map(({ token }) => ({
        token,
        at_once: LISTS_AT_ONCE,
        requests: [
          { method: 'GET', path: `${guildPath}/channels` },
          { method: 'GET', path: `${guildPath}/members?limit=1000` },
          { method: 'GET', path: '/api/v1/users/@me/guilds' },
        ],
      })),
      { token: owner.token, at_once: 2, requests: [order(1), order(2)] },
      {
        token: mover.token,
        at_once: 2,
        requests: [
          { method: 'DELETE', path: `/api/v1/users/@me/guilds/${guild.id}` },
          { method: 'POST', path: `/api/v1/invites/${invite.code}` },
        ],
      },
    ];
    const other = await createGuild(await newcomer(setup.stack.api));
    reader = { path: `/api/v1/channels/${other.channel.id}/messages`, token: other.owner.token };
  });

  describe('a full guild that six accounts list, one reorders and one joins', () => {
    it('takes bounded memory, and other clients are served', async () => {
      const bystander = {
        name: 'reader',
        from: '127.0.0.3',
        path: reader.path,
        tokens: [reader.token],
        per_second: 10,
      };
      const { stack, target, bystanders } = setup;
      const [report] = await expectWithstood(
        { stack, target, bystanders: [...bystanders, bystander] },
        { attack: 'requestLoop', from: ATTACKER, askers, seconds: SECONDS },
      );
      expect(report?.statuses[200], 'lists answered').toBeGreaterThan(0);
    });
  });
}
