import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import type { Webhook } from '../support/objects.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

let fixture: WebhookFixture;
let application: { id: string };
beforeAll(async () => {
  fixture = await newWebhook(stack.api);
  application = await expectOk(fixture.owner.api.post('/oauth2/applications', { name: 'Walked' }));
});

it('a suspension ends what the account can do, and the page of the account shows why', async () => {
  const { owner, execute } = await newWebhook(stack.api);
  await operator.ok('POST', `/accounts/${owner.user.id}/suspend`, { reason: 'Floods a channel.' });
  expect((await owner.api.get('/users/@me')).status).toBe(401);
  expect((await execute({ content: 'hello' })).status).toBe(401);
  const login = { email: owner.email, password: owner.password };
  const refused = await stack.api.send('POST', '/auth/login', { body: login, checked: false });
  expect([refused.status, refused.json<{ code: string }>().code]).toEqual([403, 'ACCOUNT_SUSPENDED']);
  const page = await operator.ok<{ account: object; webhooks: Webhook[]; unavailable: string[] }>(
    'GET',
    `/accounts/${owner.user.id}`,
  );
  expect(page).toMatchObject({
    account: { suspension: { operator: 'local', reason: 'Floods a channel.' } },
    webhooks: [{ creator_id: owner.user.id, creator_suspended: true }],
    unavailable: [],
  });
});

describe('the search', () => {
  const kindsOf = async (q: string) => {
    const { results } = await operator.ok<{ results: { kind: string; id: string }[] }>(
      'GET',
      `/search?q=${encodeURIComponent(q)}`,
    );
    return results.map(({ kind, id }) => `${kind} ${id}`);
  };

  it('finds what an ID, an address or a name may be', async () => {
    const { owner, guild, webhook } = fixture;
    expect(await kindsOf(owner.user.id)).toContain(`account ${owner.user.id}`);
    expect(await kindsOf(owner.email)).toEqual([`account ${owner.user.id}`]);
    expect(await kindsOf(owner.username)).toContain(`account ${owner.user.id}`);
    expect(await kindsOf(guild.id)).toContain(`guild ${guild.id}`);
    expect(await kindsOf(webhook.id)).toContain(`webhook ${webhook.id}`);
    expect(await kindsOf(application.id)).toContain(`application ${application.id}`);
  });

  it('finds a session by its fingerprint', async () => {
    const { owner } = await newWebhook(stack.api);
    const { sessions } = await operator.ok<{ sessions: { fingerprint: string }[] }>(
      'GET',
      `/accounts/${owner.user.id}`,
    );
    const fingerprint = sessions[0]?.fingerprint ?? '';
    expect(await kindsOf(fingerprint)).toContain(`credential ${fingerprint}`);
  });
});

it('names the owners of guilds, and who changed what in one', async () => {
  const { owner, guild } = fixture;
  const named = { username: owner.username };
  const guilds = await operator.ok<{ items: object[] }>('GET', `/guilds?q=${guild.id}`);
  expect(guilds.items).toEqual([
    expect.objectContaining({ id: guild.id, owner: expect.objectContaining(named) }),
  ]);
  const log = await operator.ok<{ items: object[] }>('GET', `/guilds/${guild.id}/audit-log`);
  expect(log.items[0]).toMatchObject({ user_id: owner.user.id, user: named });
});

it('the overview names the creators of the noisiest webhooks', async () => {
  await fixture.execute({ content: 'hello' });
  const creators = async () => {
    const { noisy } = await operator.ok<{ noisy: { webhooks: { creator?: { username: string } }[] } }>(
      'GET',
      '/overview',
    );
    return noisy.webhooks.map(({ creator }) => creator?.username);
  };
  await expect.poll(creators, { timeout: 30_000, interval: 1_000 }).toContain(fixture.owner.username);
});

it('no credential of an operator works at the public API', async () => {
  const { token } = await operator.ok<{ token: string }>('POST', '/operators', {
    name: 'outsider',
    role: 'admin',
    with_token: true,
  });
  for (const authorization of [`Bearer ${token}`, token, `Bot ${token}`])
    for (const path of ['/users/@me', '/oauth2/@me'])
      expect((await stack.api.as(authorization).get(path)).status).toBe(401);
});
