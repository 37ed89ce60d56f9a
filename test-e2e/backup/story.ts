import { newSecret, totp } from '@gatehouse/dev-env/second-factors/totp';
import { expect } from 'vitest';
import { exchange, type TokenPair } from '../oauth2/calls.ts';
import { newCode, newOauthClient, REDIRECT_URI } from '../oauth2/consent.ts';
import type { Api } from '../support/api.ts';
import { bodyOf } from '../support/expect-status.ts';
import type { Application, Message, SessionAnswer, TicketAnswer, User } from '../support/objects.ts';
import {
  createGuild,
  createWebhook,
  freshAddress,
  newcomer,
  type Person,
  type WebhookFixture,
} from '../support/people.ts';
import { png } from '../support/png.ts';

/** Data that a backup must keep. The functions return clients of the current stack. */
export interface Story {
  readonly person: Person;
  /** The secret of the person's authenticator app. */
  readonly totp_secret: string;
  readonly avatar: { readonly path: string; readonly bytes: Buffer };
  readonly hook: WebhookFixture;
  readonly message: Message;
  session(api: Api): Api;
  owner(api: Api): Api;
  bot(api: Api): Api;
  /** An application's access token for a person. */
  application(api: Api): Api;
}

export async function createStory(api: Api): Promise<Story> {
  const person = await newcomer(api);
  const { password } = person;
  const totp_secret = newSecret();
  const factor = { secret: totp_secret, code: totp(totp_secret), password };
  bodyOf(await person.api.post('/users/@me/mfa/totp/enable', factor));
  const picture = { avatar: png(8, 90).toString('base64') };
  const { avatar } = bodyOf<User>(await person.api.send('PATCH', '/users/@me', { body: picture }));
  const avatar_path = `/media/avatars/${person.user.id}/${avatar}`;

  const owner = await newcomer(api);
  const hook = await createWebhook(await createGuild(owner), api);
  const message = await hook.say({ content: 'before the backup' });
  const application = bodyOf<Application>(await owner.api.post('/oauth2/applications', { name: 'Clock' }));
  const client = await newOauthClient(api);
  const grant = { code: await newCode(client), redirect_uri: REDIRECT_URI };
  const { access_token } = bodyOf<TokenPair>(await exchange(api, client, grant));
  return {
    person,
    totp_secret,
    avatar: { path: avatar_path, bytes: await pictureAt(api, avatar_path) },
    hook,
    message,
    session: (now) => now.as(`Bearer ${person.token}`),
    owner: (now) => now.as(`Bearer ${owner.token}`),
    bot: (now) => now.as(`Bot ${application.bot.token}`),
    application: (now) => now.as(`Bearer ${access_token}`),
  };
}

/** Expects that sessions, tokens, second factor, picture, messages and webhook still work. */
export async function expectStory(api: Api, story: Story): Promise<void> {
  for (const credential of [story.session, story.owner, story.bot, story.application])
    bodyOf(await credential(api).get('/users/@me'));
  await expectLogin(api, story);
  expect(await pictureAt(api, story.avatar.path)).toEqual(story.avatar.bytes);
  expect(await contentsOf(api, story)).toContain('before the backup');
  await expectWebhook(api, story);
}

/** Logs in with password and second factor. The TOTP secret decrypts only with the backup's key. */
export async function expectLogin(api: Api, { person, totp_secret }: Story): Promise<string> {
  const here = api.from(freshAddress());
  const { email, password } = person;
  const { ticket } = bodyOf<TicketAnswer>(await here.post('/auth/login', { email, password }));
  const code = totp(totp_secret, 1);
  return bodyOf<SessionAnswer>(await here.post('/auth/login/mfa/totp', { ticket, code })).token;
}

export async function expectWebhook(api: Api, { hook }: Story): Promise<void> {
  const message = bodyOf<Message>(await api.post(`${hook.path}?wait=true`, { content: 'and on' }));
  expect(message).toMatchObject({ webhook_id: hook.webhook.id, content: 'and on' });
}

/** The contents of the channel's messages. */
export async function contentsOf(api: Api, story: Story): Promise<string[]> {
  const listed = await story.owner(api).get(`/channels/${story.hook.channel.id}/messages`);
  return bodyOf<Message[]>(listed).map(({ content }) => content);
}

async function pictureAt({ url }: Api, path: string): Promise<Buffer> {
  const response = await fetch(`${url}${path}`);
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
