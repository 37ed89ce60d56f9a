import { ACTIONS } from '@gatehouse/console/actions';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import type { Webhook } from '../support/objects.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

const REASON = 'A test walks all actions.';
let fixture: WebhookFixture;
let application: { id: string };
beforeAll(async () => {
  fixture = await newWebhook(stack.api);
  application = await expectOk(fixture.owner.api.post('/oauth2/applications', { name: 'Walked' }));
});

/** The body of each action, with the path for those that have parameters. */
const REQUESTS: Readonly<Record<string, () => { readonly path?: string; readonly body?: object }>> = {
  'account.suspend': () => ({ path: ofAccount('suspend') }),
  'account.restore': () => ({ path: ofAccount('restore') }),
  'account.end-sessions': () => ({ path: ofAccount('end-sessions') }),
  'account.reset-factors': () => ({ path: ofAccount('reset-factors') }),
  'account.revoke-grants': () => ({ path: ofAccount('revoke-grants') }),
  'application.disable': () => ({ path: `/api/applications/${application.id}/disable` }),
  'application.enable': () => ({ path: `/api/applications/${application.id}/enable` }),
  'webhook.disable': () => ({ path: `/api/webhooks/${fixture.webhook.id}/disable` }),
  'webhook.enable': () => ({ path: `/api/webhooks/${fixture.webhook.id}/enable` }),
  'guild.disable': () => ({ path: `/api/guilds/${fixture.guild.id}/disable` }),
  'guild.enable': () => ({ path: `/api/guilds/${fixture.guild.id}/enable` }),
  'limit.reset': () => ({ body: { identity: `account:${fixture.owner.user.id}` } }),
  'limit.override': () => ({
    body: {
      identity: `account:${fixture.owner.user.id}`,
      limit: 100,
      window_seconds: 60,
      expires_at_ms: Date.now() + 60_000,
    },
  }),
  'limit.remove-override': () => ({ body: { identity: `account:${fixture.owner.user.id}` } }),
  'job.run': () => ({
    body: { service: 'auth', address: stack.running.addresses.auth, name: 'expired_rows' },
  }),
  'operator.add': () => ({ body: { name: 'walked', role: 'read', with_token: true } }),
  'operator.update': () => ({ path: '/api/operators/walked', body: { role: 'support', new_link: true } }),
  'operator.remove': () => ({ path: '/api/operators/walked' }),
};

function ofAccount(verb: string): string {
  return `/api/accounts/${fixture.owner.user.id}/${verb}`;
}

describe('every action of the console', () => {
  it('has a case here', () => {
    expect(Object.keys(REQUESTS).toSorted()).toEqual(ACTIONS.map(({ name }) => name).toSorted());
  });

  it.each(ACTIONS.map(({ name }) => name))('%s leaves one line, with reason and outcome', async (name) => {
    const action = ACTIONS.find((one) => one.name === name) ?? expect.unreachable();
    const { path = action.path, body = {} } = REQUESTS[name]?.() ?? expect.unreachable();
    const earlier = await operator.log();
    await operator.ok(action.method, path.replace(/^\/api/, ''), { ...body, reason: REASON });
    const lines = (await operator.log()).slice(earlier.length);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ operator: 'local', action: name, reason: REASON, outcome: 'done' });
  });

  it('that fails leaves a line too', async () => {
    const reply = await operator.send('POST', '/accounts/1/suspend', { reason: REASON });
    expect([reply.status, reply.json<{ code: string }>().code]).toEqual([404, 'UNKNOWN_USER']);
    expect((await operator.log()).at(-1)).toMatchObject({
      action: 'account.suspend',
      target: 'account:1',
      outcome: expect.stringMatching(/^failed: UNKNOWN_USER/) as unknown,
    });
  });
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
