import { describe, expect, it } from 'vitest';
import { runScript } from './support/command.ts';
import type { Channel, Guild, Message, SessionAnswer, User, Webhook } from './support/objects.ts';
import { createGuild, createWebhook } from './support/people.ts';
import { useAnyStack } from './support/stack.ts';

const SNOWFLAKE = /^[1-9]\d{0,18}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the first story, from an account to a posted message', () => {
  const stack = useAnyStack();

  it('registers, logs in, creates a guild and a webhook, posts through it and reads the message by token and by session', async () => {
    const api = stack.api;
    const login = { email: 'Ada@example.com', password: 'correct horse battery' };

    const registered = await api.post('/auth/register', { ...login, username: 'ada', global_name: 'Ada L.' });
    expect(registered.status, registered.text).toBe(200);
    expect(registered.headers.get('cache-control')).toBe('no-store');
    const account = registered.json<SessionAnswer>();
    expect(account.token).toMatch(/^gth_[A-Za-z0-9]{36}$/);
    expect(account.user_id).toMatch(SNOWFLAKE);

    const loggedIn = await api.post('/auth/login', login);
    expect(loggedIn.status, loggedIn.text).toBe(200);
    expect(loggedIn.headers.get('cache-control')).toBe('no-store');
    const session = loggedIn.json<SessionAnswer>();
    expect(session.token).toMatch(/^gth_[A-Za-z0-9]{36}$/);
    expect(session.token).not.toBe(account.token);
    expect(session.user_id).toBe(account.user_id);
    const ada = api.as(`Bearer ${session.token}`);

    const me = (await ada.get('/users/@me')).json<User & Record<string, unknown>>();
    expect(me).toMatchObject({
      id: account.user_id,
      username: 'ada',
      discriminator: '0',
      global_name: 'Ada L.',
      avatar: null,
      bot: false,
      mfa_enabled: false,
      authenticator_types: [],
      premium_type: 0,
      flags: 0,
    });
    expect(String(me.email).toLowerCase()).toBe('ada@example.com');

    const founded = await ada.post('/guilds', { name: 'Analytical Engine' });
    expect(founded.status, founded.text).toBe(200);
    const guild = founded.json<Guild>();
    expect(guild).toMatchObject({ name: 'Analytical Engine', owner_id: account.user_id });
    expect((await ada.get(`/guilds/${guild.id}`)).json<Guild>()).toEqual(guild);

    const channels = (await ada.get(`/guilds/${guild.id}/channels`)).json<Channel[]>();
    expect(channels).toHaveLength(1);
    const general = channels[0];
    expect(general).toMatchObject({ guild_id: guild.id, type: 0, name: 'general', rate_limit_per_user: 0 });
    if (general === undefined) throw new Error('no channel');
    expect((await ada.get(`/channels/${general.id}`)).json<Channel>()).toEqual(general);

    const created = await ada.post(`/channels/${general.id}/webhooks`, { name: '  Build  ' });
    expect(created.status, created.text).toBe(200);
    expect(created.headers.get('cache-control')).toBe('no-store');
    const webhook = created.json<Webhook>();
    expect(webhook).toEqual({
      id: expect.stringMatching(SNOWFLAKE),
      guild_id: guild.id,
      channel_id: general.id,
      name: 'Build',
      avatar: null,
      token: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
      type: 1,
      application_id: null,
      url: `${stack.url}/api/v1/webhooks/${webhook.id}/${webhook.token}`,
      user: {
        id: account.user_id,
        username: 'ada',
        discriminator: '0',
        global_name: 'Ada L.',
        avatar: null,
        bot: false,
      },
    });

    const byToken = await api.get(`/webhooks/${webhook.id}/${webhook.token}`);
    const { user: _, ...withoutUser } = webhook;
    expect(byToken.json<Webhook>(), 'a token webhook has every field but user').toEqual(withoutUser);
    expect(byToken.headers.get('cache-control')).toBe('no-store');

    const before = Date.now();
    const executed = await api.post(`/webhooks/${webhook.id}/${webhook.token}?wait=true`, {
      content: ' deployed v1 ',
      username: 'Deploys',
      embeds: [{ title: 'v1', description: 'all green', color: 3066993, url: 'https://example.com/v1' }],
    });
    expect(executed.status, executed.text).toBe(200);
    const message = executed.json<Message>();
    expect(message).toMatchObject({
      id: expect.stringMatching(SNOWFLAKE),
      channel_id: general.id,
      author: {
        id: webhook.id,
        username: 'Deploys',
        discriminator: '0000',
        global_name: null,
        avatar: null,
        bot: true,
      },
      webhook_id: webhook.id,
      type: 0,
      flags: 0,
      content: 'deployed v1',
      timestamp: expect.stringMatching(TIMESTAMP),
      edited_timestamp: null,
      pinned: false,
      mention_everyone: false,
      tts: false,
      mentions: [],
      mention_roles: [],
      embeds: [
        {
          type: 'rich',
          title: 'v1',
          description: 'all green',
          color: 3066993,
          url: 'https://example.com/v1',
        },
      ],
      attachments: [],
    });
    expect(Math.abs(Date.parse(message.timestamp) - before)).toBeLessThan(10_000);
    expect(Math.abs(snowflakeTime(message.id) - before), 'an ID contains its time').toBeLessThan(10_000);

    const quiet = await api.post(`/webhooks/${webhook.id}/${webhook.token}`, { content: 'quiet' });
    expect([quiet.status, quiet.text], 'without wait the answer is an empty 204').toEqual([204, '']);

    const readByToken = await api.get(`/webhooks/${webhook.id}/${webhook.token}/messages/${message.id}`);
    expect(readByToken.json<Message>()).toEqual(message);
    expect((await ada.get(`/channels/${general.id}/messages/${message.id}`)).json<Message>()).toEqual(
      message,
    );
    const listed = (await ada.get(`/channels/${general.id}/messages`)).json<Message[]>();
    expect(
      listed.map(({ content }) => content),
      'newest first',
    ).toEqual(['quiet', 'deployed v1']);
    expect(listed[1]).toEqual(message);
    expect(listed[0]?.author.username, 'the stored name is unchanged by an override').toBe('Build');
    expect((await ada.get(`/channels/${general.id}`)).json<Channel>()).toMatchObject({
      last_message_id: listed[0]?.id,
    });
  });

  it('is what the demo shows, ending with the channel’s messages', async () => {
    const { ended, stdout, stderr } = runScript('scripts/demo.ts', ['--url', stack.url], {});
    expect((await ended).code, stderr()).toBe(0);
    expect(stdout()).toMatch(/^1\. /m);
    expect(stdout()).toMatch(/\$ curl -s /);
    expect(stdout()).toContain('429 Too Many Requests');
    expect(stdout()).toContain('x-ratelimit-scope: user');
    expect(stdout()).toContain('403 Forbidden');
    expect(stdout()).toContain('SLOWMODE_RATE_LIMITED');
    expect(stdout()).toContain('Ada created the channel cockpit (for the crew only)');
    expect(stdout()).toContain('Ada changed the roles of Ben');
    expect(stdout()).toContain('Ada changed the channel cockpit');
    expect(stdout(), 'no colours').not.toContain('\u001b');
    const live = stdout().slice(stdout().indexOf('gatehouse -- tail'));
    expect(live, 'messages appear while the story runs').toMatch(
      /Listening at ws[^\n]* as Ben[\s\S]*MESSAGE_CREATE Mission Control #general Deploys BOT: T minus ten\n/,
    );
    expect(live).toMatch(/MESSAGE_UPDATE Mission Control #general Deploys BOT: Lift-off!\n/);
    expect(live).toMatch(/MESSAGE_CREATE Mission Control #general [^\n]*\[rocket:main\] 2 new/);
    for (const shown of [
      'Version 2.0 is on its way <up>',
      'Godspeed!',
      'Tank 2',
      '[rocket:main] 2 new commits',
    ])
      expect(stdout()).toContain(shown);
  });

  it('fails with advice if no stack answers the demo', async () => {
    const { ended, stderr } = runScript('scripts/demo.ts', ['--url', 'http://127.0.0.1:1'], {});
    expect((await ended).code).toBe(1);
    expect(stderr()).toContain('npm start');
  });

  it('posts as an account, and pages through a channel', async () => {
    const login = { email: 'ada@example.com', password: 'correct horse battery' };
    const { token, user } = (await stack.api.post('/auth/login', login)).json<SessionAnswer>();
    const { owner, channel } = await createGuild({ api: stack.api.as(`Bearer ${token}`), user });
    const sent: Message[] = [];
    for (let n = 1; n <= 5; n += 1) {
      const reply = await owner.api.post(`/channels/${channel.id}/messages`, {
        content: `m${n}`,
        nonce: `n${n}`,
      });
      expect(reply.status, reply.text).toBe(200);
      sent.push(reply.json<Message>());
    }
    expect(sent[0]).toMatchObject({ content: 'm1', author: { id: owner.user.id, bot: false }, nonce: 'n1' });
    expect(sent[0]).not.toHaveProperty('webhook_id');
    const list = async (query: string) =>
      (await owner.api.get(`/channels/${channel.id}/messages?${query}`))
        .json<Message[]>()
        .map(({ content }) => content);
    expect(await list('limit=2')).toEqual(['m5', 'm4']);
    expect(await list(`limit=2&before=${sent[3]?.id}`)).toEqual(['m3', 'm2']);
    expect(await list(`limit=2&after=${sent[0]?.id}`), 'the nearest after it, newest first').toEqual([
      'm3',
      'm2',
    ]);
  });

  it('creates an application with a bot that can call the API', async () => {
    const login = await stack.api.post('/auth/login', {
      email: 'ADA@example.com',
      password: 'correct horse battery',
    });
    const ada = stack.api.as(login.json<SessionAnswer>().token);
    const created = await ada.post('/oauth2/applications', { name: 'Helper' });
    expect(created.status, created.text).toBe(200);
    expect(created.headers.get('cache-control')).toBe('no-store');
    const application = created.json<{
      id: string;
      client_secret: string;
      bot: User & { token: string };
    }>();
    expect(application).toMatchObject({
      name: 'Helper',
      icon: null,
      description: null,
      redirect_uris: [],
      bot_public: true,
      bot_require_code_grant: false,
      flags: 0,
      bot: { id: application.id, bot: true },
    });
    expect(application.client_secret, '32 random bytes as base64url').toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(application.bot.token.split('.')[0]).toBe(application.id);

    const read = await ada.get(`/oauth2/applications/${application.id}`);
    expect(read.status).toBe(200);
    expect(read.text, 'a secret is only shown once').not.toContain(application.client_secret);
    expect(read.text).not.toContain(application.bot.token);
    const listed = (await ada.get('/oauth2/applications/@me')).json<{ id: string }[]>();
    expect(listed).toEqual([read.json()]);

    const bot = stack.api.as(`Bot ${application.bot.token}`);
    expect((await bot.get('/users/@me')).json<User>()).toMatchObject({ id: application.id, bot: true });
    const hook = await createWebhook(await createGuild({ api: bot }), stack.api);
    expect((await hook.say({ content: 'by a bot’s webhook' })).webhook_id).toBe(hook.webhook.id);
  });
});

function snowflakeTime(id: string): number {
  return Number(BigInt(id) >> 22n) + 1420070400000;
}
