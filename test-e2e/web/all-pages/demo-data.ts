import { randomBytes } from 'node:crypto';
import type {
  Application,
  Channel,
  Guild,
  Invite,
  Role,
  SessionAnswer,
  Webhook,
} from '../../support/objects.ts';
import { type DemoClient, demoClient } from './demo-client.ts';

/** What the pages show: names that are long, mixed in direction, or look like markup. */
export interface DemoData {
  readonly owner: DemoPerson;
  readonly guild_id: string;
  readonly application_id: string;
}

export interface DemoPerson {
  readonly token: string;
  readonly user_id: string;
  readonly client: DemoClient;
}

const LONG_NAME = 'ورشة Workshop 👩‍🚀 '.padEnd(100, 'of the longest name ');
const MARKUP = '<script>alert(1)</script>';
const MIXED = 'مرحبا بكم Clock 👨‍👩‍👧‍👦';

/** Creates an account with a guild, members, webhooks, an application and its bot. */
export async function createDemoData(url: string): Promise<DemoData> {
  const owner = await register(url, 'Ada لوفليس 👩‍🚀');
  const { call } = owner.client;
  const guild = await call<Guild>('POST', '/guilds', { name: LONG_NAME });
  await call('POST', '/guilds', { name: 'Lab' });
  const channels = await call<Channel[]>('GET', `/guilds/${guild.id}/channels`);
  const channel = channels.find(({ name }) => name === 'general');
  if (channel === undefined) throw new Error('the new guild has no channel');
  await addMembers(url, owner, guild.id, channel.id);
  await addWebhooks(owner, channel.id);
  const application_id = await addBot(owner, guild.id);
  return { owner, guild_id: guild.id, application_id };
}

async function register(url: string, global_name: string): Promise<DemoPerson> {
  const username = `demo_${randomBytes(6).toString('hex')}`;
  const [first, second] = randomBytes(2);
  const client = demoClient(url, `10.${first}.${second}.7`);
  const account = { username, email: `${username}@example.com`, password: randomBytes(12).toString('hex') };
  const { token, user } = await client.call<SessionAnswer>('POST', '/auth/register', account);
  const signedIn = client.as(token);
  await signedIn.call('PATCH', '/users/@me', { global_name });
  return { token, user_id: user.id, client: signedIn };
}

async function addMembers(
  url: string,
  owner: DemoPerson,
  guild_id: string,
  channel_id: string,
): Promise<void> {
  const { call } = owner.client;
  const { code } = await call<Invite>('POST', `/channels/${channel_id}/invites`, {});
  const roles = await Promise.all(
    [MIXED, LONG_NAME].map((name) => call<Role>('POST', `/guilds/${guild_id}/roles`, { name })),
  );
  for (const name of [MARKUP, MIXED]) {
    const member = await register(url, name);
    await member.client.call('POST', `/invites/${code}`);
    for (const { id } of roles) {
      await call('PUT', `/guilds/${guild_id}/members/${member.user_id}/roles/${id}`);
    }
  }
}

async function addWebhooks(owner: DemoPerson, channel_id: string): Promise<void> {
  const { call } = owner.client;
  const path = `/channels/${channel_id}/webhooks`;
  for (const name of [MARKUP, LONG_NAME.slice(0, 80).trim()]) await call('POST', path, { name });
  const webhook = await call<Webhook>('POST', path, { name: MIXED });
  await call('POST', `/webhooks/${webhook.id}/${webhook.token}?wait=true`, {
    content: 'The build is green.',
  });
  await call('POST', `/webhooks/${webhook.id}/${webhook.token}/chatcompat`, { text: 'Disk full' });
}

async function addBot(owner: DemoPerson, guild_id: string): Promise<string> {
  const { call } = owner.client;
  const { id } = await call<Application>('POST', '/oauth2/applications', {
    name: MIXED,
    redirect_uris: ['https://clock.example/callback'],
  });
  await call('POST', '/oauth2/applications', { name: LONG_NAME.slice(0, 80).trim() });
  const consent = { client_id: id, scope: 'bot', guild_id, permissions: '0' };
  await call('POST', '/oauth2/authorize/consent', consent);
  return id;
}
