import { type DataFolder, testDataFolder } from '@gatehouse/dev-env/data-folder';
import { type OtlpReceiver, startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantAccountSecrets } from '../auth/plant-account-secrets.ts';
import { type Api, apiOf } from '../support/api.ts';
import { type Command, startCommand } from '../support/command.ts';
import { readLogs } from '../support/logs.ts';
import type { Application } from '../support/objects.ts';
import { createGuild, createWebhook, type Person, register } from '../support/people.ts';

const REQUEST_ID = 'the-request-to-look-for';

describe('logs and spans contain no secret', () => {
  let folder: DataFolder;
  let data_dir: string;
  let command: Command;
  let api: Api;
  let receiver: OtlpReceiver;

  beforeAll(async () => {
    folder = await testDataFolder('e2e');
    data_dir = folder.path;
    // The most verbose level includes the lines of every other level.
    receiver = await startOtlpReceiver();
    const started = await startCommand({
      DATA_DIR: data_dir,
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    command = started;
    api = apiOf(started.url);
  });
  afterAll(async () => {
    command?.kill('SIGTERM');
    await command?.ended;
    await folder.remove();
    await receiver?.close();
  });

  it('after valid and invalid uses of every credential', async () => {
    const secrets = { ...(await plantSecrets()), ...(await plantAccountSecrets(api, data_dir)) };
    expect(Object.values(secrets).filter((secret) => secret.length < 8)).toEqual([]);
    command.kill('SIGTERM');
    await command.ended;

    const logs = await readLogs(data_dir);
    expect(logs.size, 'every process has a log').toBeGreaterThanOrEqual(6);
    for (const name of ['gateway.log', 'webhook-delivery.log']) {
      expect(logs.get(name), 'the logs of all processes on its way have the request ID').toContain(
        REQUEST_ID,
      );
    }
    logs.set('standard output', command.stdout()).set('standard error', command.stderr());
    const leaks = [...logs].flatMap(([file, text]) =>
      Object.entries(secrets)
        .filter(([, secret]) => text.includes(secret))
        .map(([name]) => `${name} in ${file}`),
    );
    expect(leaks).toEqual([]);
    expectSilentSpans(secrets);
  });

  /** Expects no secret in spans, and no IP or e-mail address. */
  function expectSilentSpans(secrets: Readonly<Record<string, string>>): void {
    const { spans } = receiver;
    const services = new Set(spans.map(({ service }) => service));
    expect([...services]).toEqual(
      expect.arrayContaining(['auth', 'chat', 'gateway', 'oauth2', 'ratelimit', 'webhook-delivery']),
    );
    const texts = spans.flatMap(({ name, attributes }) => [name, ...Object.values(attributes)]);
    for (const secret of [...Object.values(secrets), '127.0.0.1', '@example.com'])
      expect(
        texts.filter((text) => text.includes(secret)),
        secret,
      ).toEqual([]);
  }

  /** Sends every kind of credential in every place of a request. Returns those that logs must not contain. */
  async function plantSecrets(): Promise<Record<string, string>> {
    const person = await register(api);
    const login = await api.post('/auth/login', { email: person.email, password: person.password });
    const { token: session } = login.json<{ token: string }>();
    const user = api.as(`Bearer ${session}`);
    const application = (await user.post('/oauth2/applications', { name: 'Planted' })).json<Application>();
    const hook = await createWebhook(await createGuild(person), api, { name: 'Planted' });
    const bot = api.as(`Bot ${application.bot.token}`);
    expect((await bot.get('/users/@me')).status).toBe(200);
    await hook.say({ content: 'x' });
    await api.get(hook.path, { 'x-request-id': REQUEST_ID });
    await misuse({
      person,
      session,
      bot: application.bot.token,
      hook: hook.webhook.token,
      id: hook.webhook.id,
    });
    expect((await user.post('/auth/logout')).status).toBe(204);
    expect((await user.get('/users/@me')).status).toBe(401);
    return {
      password: person.password,
      'a wrong password': `wrong-${person.password}`,
      'the session of the registration': person.token,
      'the session of the login': session,
      'the bot token': application.bot.token.split('.')[1] ?? '',
      'the client secret': application.client_secret,
      'the webhook token': hook.webhook.token,
      'a wrong webhook token': hook.webhook.token.split('').reverse().join(''),
    };
  }

  async function misuse(given: { person: Person; session: string; bot: string; hook: string; id: string }) {
    const { person, session, bot, hook, id } = given;
    const wrongToken = hook.split('').reverse().join('');
    const json = { 'content-type': 'application/json' };
    await api.post('/auth/login', { email: person.email, password: `wrong-${person.password}` });
    await api.post('/auth/login', `{"email":"x","password":"${person.password}"`, json);
    await api.post('/auth/register', { email: person.email, username: 'x y', password: person.password });
    await api.as(`Bot ${session}`).get('/users/@me');
    await api.as(bot).get('/users/@me');
    await api.as(`Bearer ${bot}`).post('/guilds', { name: 'x' });
    await api.get(`/users/@me?token=${session}`);
    await api.get(`/webhooks/${id}/${wrongToken}`);
    await api.post(`/webhooks/1/${hook}`, { content: 'x' });
    await api.post(`/webhooks/${id}/${hook}`, { content: '' });
    await api.post(`/webhooks/${id}/${hook}/chatcompat`, '{', json);
    await api.post(`/webhooks/${id}/${hook}/codehost`, '{', json);
    await api.post(`/webhooks/${id}/${hook}/nowhere`, {});
    await api.send('DELETE', `/webhooks/0x1/${hook}`);
    for (const token of [hook, wrongToken])
      for (const path of [`/webhooks/${id}/${token}`, `/webhooks/${id}/${token}/messages/1`]) {
        await api.send('PATCH', path, { body: { name: '', content: 5 } });
        await api.send('PATCH', path, { body: '{', headers: json });
      }
    await api.send('DELETE', `/webhooks/${id}/${hook}/messages/1`);
    await api.send('DELETE', `/webhooks/${id}/${wrongToken}`);
    await fetch(`${api.url}/api/v1/webhooks/${id}/${hook}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    });
    await api.get(`/webhooks/${id}/${hook}/messages/1`);
    await Promise.all(
      Array.from({ length: 70 }, () => api.post(`/webhooks/${id}/${hook}`, { content: 'flood' })),
    );
    await fetch(`${api.url}/webhooks/${id}/${hook}`).then((answer) => answer.text());
  }
});
