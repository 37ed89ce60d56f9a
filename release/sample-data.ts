import { randomBytes } from 'node:crypto';
import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import { type ApiClient, apiClient } from './api-client.ts';

/** IDs and credentials of a release's sample data. */
export interface SampleData {
  readonly owner: Account;
  /** A member of the guild, with a second factor. */
  readonly member: Account & { readonly totp_secret: string; readonly avatar: string };
  readonly guild_id: string;
  readonly channel_id: string;
  /** A channel that only members with a role can view. */
  readonly hidden_channel_id: string;
  readonly webhook: { readonly id: string; readonly token: string };
  readonly messages: readonly string[];
  readonly application: { readonly id: string; readonly client_secret: string; readonly bot_token: string };
  /** The member's grant to the application. */
  readonly grant: { readonly access_token: string; readonly refresh_token: string };
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The token of a session. */
  readonly token: string;
}

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
/** One black pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
const VIEW_CHANNEL = '1024';

/** Creates accounts, a guild, a webhook and an application through the API of an edge. */
export async function createSampleData(url: string): Promise<SampleData> {
  const api = apiClient(url);
  const owner = await register(api, 'owner');
  const member = await withSecondFactor(api, await register(api, 'member'));
  const guild = await createGuild(api, owner, member);
  const webhook = await api.send<SampleData['webhook']>('POST', `/channels/${guild.channel_id}/webhooks`, {
    authorization: bearer(owner),
    body: { name: 'Deploys' },
  });
  const messages = ['of a webhook', 'of a person'];
  await api.send('POST', `/webhooks/${webhook.id}/${webhook.token}`, { body: { content: messages[0] } });
  await api.send('POST', `/channels/${guild.channel_id}/messages`, {
    authorization: bearer(owner),
    body: { content: messages[1] },
  });
  const { application, grant } = await createGrant(api, owner, member, guild.guild_id);
  return {
    owner,
    member,
    ...guild,
    webhook: { id: webhook.id, token: webhook.token },
    messages,
    application,
    grant,
  };
}

export const bearer = ({ token }: { readonly token: string }): string => `Bearer ${token}`;

async function register(api: ApiClient, username: string): Promise<Account> {
  const email = `${username}@example.com`;
  const password = randomBytes(12).toString('hex');
  const body = { email, username, password };
  const { token, user } = await api.send<{ token: string; user: { id: string } }>('POST', '/auth/register', {
    body,
  });
  return { id: user.id, email, password, token };
}

async function withSecondFactor(api: ApiClient, account: Account): Promise<SampleData['member']> {
  const authorization = bearer(account);
  const totp_secret = newSecret();
  await api.send('POST', '/users/@me/mfa/totp/enable', {
    authorization,
    body: { secret: totp_secret, code: totp(totp_secret), password: account.password },
  });
  const { avatar } = await api.send<{ avatar: string }>('PATCH', '/users/@me', {
    authorization,
    body: { avatar: PICTURE },
  });
  return { ...account, totp_secret, avatar };
}

type GuildOfSample = Pick<SampleData, 'guild_id' | 'channel_id' | 'hidden_channel_id'>;

async function createGuild(api: ApiClient, owner: Account, member: Account): Promise<GuildOfSample> {
  const authorization = bearer(owner);
  const create = <T = { id: string }>(path: string, body: object): Promise<T> =>
    api.send('POST', path, { authorization, body });
  const guild = await create('/guilds', { name: 'Workshop' });
  const [channel] = await api.send<{ id: string }[]>('GET', `/guilds/${guild.id}/channels`, {
    authorization,
  });
  if (channel === undefined) throw new Error('the guild has no channel');
  const invite = await create<{ code: string }>(`/channels/${channel.id}/invites`, {});
  await api.send('POST', `/invites/${invite.code}`, { authorization: bearer(member) });
  const role = await create(`/guilds/${guild.id}/roles`, { name: 'Crew' });
  await api.send('PUT', `/guilds/${guild.id}/members/${member.id}/roles/${role.id}`, { authorization });
  const hidden = await create(`/guilds/${guild.id}/channels`, {
    name: 'hidden',
    type: 0,
    permission_overwrites: [
      { id: guild.id, type: 0, allow: '0', deny: VIEW_CHANNEL },
      { id: role.id, type: 0, allow: VIEW_CHANNEL, deny: '0' },
    ],
  });
  const dm = await create('/users/@me/channels', { recipients: [member.id] });
  await create(`/channels/${dm.id}/messages`, { content: 'of a DM' });
  return { guild_id: guild.id, channel_id: channel.id, hidden_channel_id: hidden.id };
}

async function createGrant(
  api: ApiClient,
  owner: Account,
  member: Account,
  guild_id: string,
): Promise<Pick<SampleData, 'application' | 'grant'>> {
  const created = await api.send<{ id: string; client_secret: string; bot: { token: string } }>(
    'POST',
    '/oauth2/applications',
    { authorization: bearer(owner), body: { name: 'Clock', redirect_uris: [REDIRECT_URI] } },
  );
  const { id, client_secret, bot } = created;
  const consent = async (account: Account, more: object): Promise<URL> => {
    const body = { client_id: id, redirect_uri: REDIRECT_URI, ...more };
    const answer = await api.send<{ redirect_to: string }>('POST', '/oauth2/authorize/consent', {
      authorization: bearer(account),
      body,
    });
    return new URL(answer.redirect_to);
  };
  await consent(owner, { scope: 'bot', guild_id, permissions: '0' });
  const code = (await consent(member, { scope: 'identify email' })).searchParams.get('code') ?? '';
  const client = { client_id: id, client_secret, redirect_uri: REDIRECT_URI };
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, ...client });
  const { access_token, refresh_token } = await api.send<SampleData['grant']>('POST', '/oauth2/token', {
    body: form,
  });
  return {
    application: { id, client_secret, bot_token: bot.token },
    grant: { access_token, refresh_token },
  };
}
