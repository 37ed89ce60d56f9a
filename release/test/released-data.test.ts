import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { totp } from '@gatehouse/dev-env/second-factors/totp';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import { withClient } from '@gatehouse/kit/db/with-client';
import { resourceStack } from '@gatehouse/kit/lifecycle';
import { PROCESSES } from '@gatehouse/stack/processes';
import { type Stack, startStack } from '@gatehouse/stack/start-stack';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { apiClient } from '../api-client.ts';
import { readReleasedData, releasesWithData, restoreReleasedData } from '../released-data.ts';
import { bearer } from '../sample-data.ts';

const opened = resourceStack();
afterAll(() => opened.close());

/** A server's URL under whose name the databases of a release lie. */
async function restored(version: string): Promise<string> {
  const url = await testDatabaseUrl(`released_${version}`);
  for (const { name } of PROCESSES.filter(({ has_database }) => has_database))
    opened.add('database', () => dropTestDatabase(databaseUrl(url, name)));
  await restoreReleasedData(version, url);
  return url;
}

async function startOn(database_url: string, version: string): Promise<Stack> {
  const folder = await testDataFolder('released');
  opened.add('folder', folder.remove);
  const { auth_secret_key } = readReleasedData(version);
  const stack = await startStack({
    port: 0,
    data_dir: folder.path,
    database_url,
    one_process: true,
    env: { AUTH_SECRET_KEY: auth_secret_key, LOG_LEVEL: 'warn' },
  });
  opened.add('stack', stack.close);
  return stack;
}

describe.each(releasesWithData())('the data of %s', (version) => {
  const data = readReleasedData(version);
  let stack: Stack;
  let api: ReturnType<typeof apiClient>;
  beforeAll(async () => {
    stack = await startOn(await restored(version), version);
    api = apiClient(stack.url);
  });

  it('has sessions, bot tokens and access tokens that identify their accounts', async () => {
    const whoIs = async (authorization: string) =>
      (await api.send<{ id: string }>('GET', '/users/@me', { authorization })).id;
    expect(await whoIs(bearer(data.owner))).toBe(data.owner.id);
    expect(await whoIs(`Bot ${data.application.bot_token}`)).toBe(data.application.id);
    expect(await whoIs(`Bearer ${data.grant.access_token}`)).toBe(data.member.id);
  });

  it('lets its accounts log in, with a password and with a second factor', async () => {
    const { email, password } = data.owner;
    const session = await api.send<{ token: string }>('POST', '/auth/login', { body: { email, password } });
    expect(session.token).toEqual(expect.any(String));
    const { member } = data;
    const { ticket } = await api.send<{ ticket: string }>('POST', '/auth/login', {
      body: { email: member.email, password: member.password },
    });
    const code = totp(member.totp_secret);
    const second = await api.send<{ token: string }>('POST', '/auth/login/mfa/totp', {
      body: { ticket, code },
    });
    expect(second.token).toEqual(expect.any(String));
  });

  it('has its guild, with channels, permissions and messages', async () => {
    const authorization = bearer(data.member);
    const channels = await api.send<{ id: string }[]>('GET', `/guilds/${data.guild_id}/channels`, {
      authorization,
    });
    expect(channels.map(({ id }) => id)).toEqual(
      expect.arrayContaining([data.channel_id, data.hidden_channel_id]),
    );
    const messages = await api.send<{ content: string }[]>('GET', `/channels/${data.channel_id}/messages`, {
      authorization,
    });
    expect(messages.map(({ content }) => content).reverse()).toEqual(data.messages);
  });

  it('has a webhook that posts', async () => {
    const { id, token } = data.webhook;
    const message = await api.send('POST', `/webhooks/${id}/${token}?wait=true`, {
      body: { content: 'still here' },
    });
    expect(message).toMatchObject({
      webhook_id: id,
      channel_id: data.channel_id,
      content: 'still here',
    });
  });

  it('has a refresh token that gives a new pair', async () => {
    const { id: client_id, client_secret } = data.application;
    const { refresh_token } = data.grant;
    const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret };
    const pair = await api.send<{ access_token: string }>('POST', '/oauth2/token', {
      body: new URLSearchParams(form),
    });
    const { id } = await api.send<{ id: string }>('GET', '/users/@me', {
      authorization: bearer({ token: pair.access_token }),
    });
    expect(id).toBe(data.member.id);
  });

  it('has pictures', async () => {
    const { member } = data;
    const response = await fetch(`${stack.url}/media/avatars/${member.id}/${member.avatar}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});

test('without a column of its databases a release does not work', async () => {
  const version = releasesWithData().at(-1) ?? expect.unreachable('there is no release');
  const url = await restored(version);
  await withClient({ connectionString: databaseUrl(url, 'webhook-delivery') }, (client) =>
    client.query('ALTER TABLE webhooks DROP COLUMN token'),
  );
  const { id, token } = readReleasedData(version).webhook;
  const stack = await startOn(url, version);
  const execution = apiClient(stack.url).send('POST', `/webhooks/${id}/${token}`, { body: { content: '?' } });
  await expect(execution).rejects.toThrow(/500|503/);
});
