import { beforeAll, expect, it } from 'vitest';
import { freshAddress } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { newOwnerOfBots, type OwnerOfBots } from './bots-of-an-owner.ts';
import { ConsoleApi } from './console.ts';

const REASON = 'Floods webhooks through its bots.';
const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

interface List {
  readonly items: readonly { readonly id: string }[];
}
interface Account {
  readonly account: object;
  readonly applications: readonly object[];
  readonly webhooks: readonly { readonly id: string }[];
  readonly owner_applications?: number;
  readonly unavailable: readonly string[];
}

let found: OwnerOfBots;
beforeAll(async () => {
  found = await newOwnerOfBots(stack);
});

const newestFirst = () => found.webhooks.map(({ id }) => id).toReversed();
const show = (path: string) => operator.ok<Account>('GET', path);

it('an account has the webhooks that its bots made, also page by page', async () => {
  const { id } = found.owner.user;
  const { webhooks, unavailable } = await show(`/accounts/${id}`);
  expect(webhooks.map((one) => one.id)).toEqual(newestFirst());
  expect(unavailable).toEqual([]);
  const [newer, older] = newestFirst();
  const all = await operator.ok<List>('GET', `/accounts/${id}/webhooks`);
  expect(all.items.map((one) => one.id)).toEqual([newer, older]);
  const rest = await operator.ok<List>('GET', `/accounts/${id}/webhooks?before=${newer}`);
  expect(rest.items.map((one) => one.id)).toEqual([older]);
});

it('a bot has its application, its owner by name, and the number of the owner’s applications', async () => {
  const { owner, ticker } = found;
  expect(await show(`/accounts/${ticker.id}`)).toMatchObject({
    account: { bot: true, owner_id: owner.user.id, owner_username: owner.username },
    applications: [{ id: ticker.id, owner_id: owner.user.id }],
    owner_applications: 2,
  });
});

it('a webhook is found by the start of its name, with its creator and guild by name', async () => {
  const { owner, ticker, guild, webhooks } = found;
  const { items } = await operator.ok<List>('GET', '/webhooks?q=TICKER%201');
  expect(items).toMatchObject([
    {
      id: webhooks[0]?.id,
      guild_name: guild.name,
      creator: { bot: true, owner_id: owner.user.id, owner_username: owner.username },
    },
  ]);
  const { results } = await operator.ok<{ results: { kind: string; id: string }[] }>(
    'GET',
    '/search?q=ticker',
  );
  expect(results.filter(({ kind }) => kind === 'webhook').map(({ id }) => id)).toEqual(newestFirst());
  expect(results.some(({ id }) => id === ticker.id)).toBe(false);
});

/** Asks until the bot is denied by its own bucket. */
async function limitBot(): Promise<void> {
  const by = found.ticker.api.from(freshAddress());
  for (let status = 200; status !== 429; ) {
    const reply = await by.get('/users/@me');
    status = reply.headers.get('x-ratelimit-scope') === 'global' ? 200 : reply.status;
  }
}

it('a suspension of the owner is named at the bot, the application and the webhook, and is not overwritten', async () => {
  const { owner, ticker, webhooks } = found;
  const { id } = owner.user;
  await limitBot();
  await operator.ok('POST', `/accounts/${id}/suspend`, { reason: REASON });
  const suspension = { operator: 'local', reason: REASON };
  expect(await show(`/accounts/${ticker.id}`)).toMatchObject({
    account: { owner_suspension: suspension },
    applications: [{ owner_suspended: true }],
  });
  expect(await operator.ok('GET', `/applications/${ticker.id}`)).toMatchObject({
    application: { owner_suspended: true, owner: { username: owner.username, suspension } },
  });
  expect((await operator.ok<List>('GET', `/applications?q=${id}`)).items).toMatchObject([
    { owner_suspended: true },
    { owner_suspended: true },
  ]);
  expect(await operator.ok('GET', `/webhooks/${webhooks[0]?.id}`)).toMatchObject({
    webhook: { creator_suspended: true, creator: { owner_suspension: suspension } },
  });
  const again = await operator.send('POST', `/accounts/${id}/suspend`, { reason: 'Another one.' });
  expect([again.status, again.json()]).toEqual([
    400,
    { code: 'ALREADY_SUSPENDED', message: `The account is suspended already, by local: ${REASON}` },
  ]);
  expect(await show(`/accounts/${id}`)).toMatchObject({ account: { suspension } });
});

it('the overview names it too', async () => {
  const { ticker } = found;
  const { noisy } = await operator.ok<{
    noisy: { denied: readonly object[]; applications: readonly object[] };
  }>('GET', '/overview');
  expect(noisy.denied).toContainEqual(
    expect.objectContaining({ identity: `account:${ticker.id}`, state: 'owner_suspended' }),
  );
});
