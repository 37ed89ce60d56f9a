import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2WithChat, startOauth2WithChat } from '../oauth2.ts';
import { IN_TIME, newPerson } from '../requests.ts';
import { type ClientAndPerson, newClient, outcomeOf, REDIRECT_URI } from '../tokens.ts';

let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
let fixture: Oauth2WithChat;
/** Its user owns the guild, and has opened the group DM. */
let client: ClientAndPerson;
let guild_id: string;
let channel_id: string;
beforeAll(async () => {
  proxy = await startTcpProxy();
  fixture = await startOauth2WithChat(
    'oauth2_late_installation',
    (address) => new URL(proxy.through(`http://${address}`)).host,
  );
});
beforeEach(async () => {
  client = await newClient(fixture);
  const { guild } = await fixture.chat.createGuild({ name: 'Guild' }, by(client.person));
  guild_id = guild?.id ?? '';
  const recipients = [client.owner.account_id, (await newPerson(fixture.auth)).account_id];
  const { channel } = await fixture.chat.openPrivateChannel({ recipients }, by(client.person));
  channel_id = channel?.id ?? '';
});
afterAll(async () => {
  await fixture.close();
  proxy.close();
});

const by = (caller: Caller) => ({ ...IN_TIME, caller });

/** A consent that installs the bot, and one for the group DM. */
function installations(oauth2: Oauth2): Promise<string[]> {
  const targets = [{ guild_id, permissions: '2' }, { channel_id }];
  return Promise.all(
    targets.map((target) => {
      const request = { client_id: client.client_id, scope: 'bot identify', redirect_uri: REDIRECT_URI };
      return outcomeOf(oauth2.grantConsent({ ...request, ...target }, by(client.person)));
    }),
  );
}

/** Everything that an installation could leave at chat. */
async function traces(): Promise<unknown> {
  const owner = by(client.person);
  return {
    members: (await fixture.chat.listMembers({ guild_id, limit: 1_000 }, owner)).members,
    roles: (await fixture.chat.listRoles({ guild_id }, owner)).roles,
    audit: (await fixture.chat.listAuditLog({ guild_id }, owner)).audit_log_entries,
    recipients: (await fixture.chat.getChannel({ channel_id }, owner)).channel?.recipients,
    messages: (await fixture.chat.listMessages({ channel_id }, owner)).messages,
    events: (await fixture.chatDb.query('SELECT count(*) FROM events')).rows,
  };
}

async function codes(): Promise<number | null> {
  const { rowCount } = await fixture.db.query('SELECT FROM authorization_codes WHERE application_id = $1', [
    client.client_id,
  ]);
  return rowCount;
}

/** Blocks chat after its checks of guild and channel while `work` runs; then it continues. */
async function delayingChat<T>(work: () => Promise<T>): Promise<T> {
  const holder = await fixture.chatDb.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM guilds WHERE id = $1 FOR UPDATE', [guild_id]);
    await holder.query('SELECT FROM channels WHERE id = $1 FOR UPDATE', [channel_id]);
    const result = await work();
    await holder.query('COMMIT');
    return result;
  } finally {
    holder.release();
    await expect.poll(unfinished).toBe(0);
  }
}

async function unfinished(): Promise<number | null> {
  const { rowCount } = await fixture.chatDb.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'chat' AND xact_start IS NOT NULL`,
  );
  return rowCount;
}

describe('an installation that chat executes late', () => {
  it('is not made after the deadline: the consent has failed, and can be repeated', async () => {
    const before = await traces();
    const outcomes = await delayingChat(async () => {
      const outcomes = installations(fixture.oauth2);
      await untilWaitingForLock(fixture.chatDb, 2);
      return outcomes;
    });
    expect(outcomes).toEqual(['GATEWAY_TIMEOUT', 'GATEWAY_TIMEOUT']);
    expect(await codes()).toBe(0);
    expect(await traces()).toEqual(before);
    expect(await installations(fixture.oauth2)).toEqual(['ok', 'ok']);
  });

  it('is not made once the connection is lost', async () => {
    const before = await traces();
    const outcomes = await delayingChat(async () => {
      const outcomes = installations(fixture.oauth2);
      await untilWaitingForLock(fixture.chatDb, 2);
      proxy.cut();
      return outcomes;
    });
    proxy.restore();
    expect(outcomes).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(await codes()).toBe(0);
    expect(await traces()).toEqual(before);
    await expect.poll(() => installations(fixture.oauth2).then(([inGuild]) => inGuild)).toBe('ok');
  });

  it('is not made once oauth2 was killed, and nobody has the code', async () => {
    const replica = await fixture.killableReplica();
    const before = await traces();
    const outcomes = await delayingChat(async () => {
      const outcomes = installations(replica.oauth2);
      await untilWaitingForLock(fixture.chatDb, 2);
      await replica.kill();
      return outcomes;
    });
    expect(outcomes).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    expect(await traces()).toEqual(before);
    expect(await installations(fixture.oauth2)).toEqual(['ok', 'ok']);
  });
});
