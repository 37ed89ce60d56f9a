import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CLOSE } from '../gateway/support/codes.ts';
import { useGateway } from '../gateway/support/use-gateway.ts';
import { expectOk } from '../support/expect-status.ts';
import type { SessionAnswer } from '../support/objects.ts';
import {
  createGuild,
  createWebhook,
  freshAddress,
  newcomer,
  type Person,
  type WebhookFixture,
} from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { chromiumIsMissing, useBrowser } from '../web/use-browser.ts';
import { ConsoleApi, type LogLine } from './console.ts';
import { expectFit, localLink, takeAction } from './operator-page.ts';

const REASON = 'Floods a channel by three webhooks.';
const HOOKS = ['Alarms', 'Builds', 'Deploys'];
const EXECUTIONS = 5;

describe.skipIf(chromiumIsMissing)('webhooks that flood', () => {
  const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
  const gateway = useGateway(stack);
  const browser = useBrowser();
  const operator = new ConsoleApi(stack);

  /** Executes each webhook until a limit denies it, or EXECUTIONS times. */
  async function flood(hooks: readonly WebhookFixture[]): Promise<void> {
    for (const { execute } of hooks)
      for (let time = 0; time < EXECUTIONS; time++)
        expect([204, 429]).toContain((await execute({ content: `flood ${time}` })).status);
  }

  async function linesAbout({ user }: Person): Promise<LogLine[]> {
    return (await operator.log()).filter(({ target }) => target === `account:${user.id}`);
  }

  /** The operator opens the one-time link, which works once. */
  async function enter(page: Page): Promise<void> {
    const link = localLink(stack);
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await expectFit(page, 'link');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(page.url()).not.toContain('#');
  }

  /** From the overview over the noisiest webhooks to the account of their creator. */
  async function findCreator(page: Page, creator_id: string): Promise<void> {
    await expectFit(page, 'overview');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    for (const name of HOOKS) await page.getByRole('link', { name, exact: true }).waitFor();
    await expectFit(page, 'webhooks');
    await page.getByRole('link', { name: 'Alarms', exact: true }).click();
    await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor();
    await expectFit(page, 'webhook');
    await page.locator(`main a[href="/accounts/${creator_id}"]`).first().click();
  }

  it('lead an operator to their creator, whose suspension ends them until it is lifted', async () => {
    const owner = await newcomer(stack.api);
    const guild = await createGuild(owner);
    const hooks = await Promise.all(
      HOOKS.map((name) => createWebhook(guild, stack.api.from(freshAddress()), { name })),
    );
    const { connection } = await gateway.identify(owner.token);
    await flood(hooks);

    const page = await browser.page();
    await enter(page);
    await findCreator(page, owner.user.id);
    await page.getByRole('heading', { name: owner.username, level: 1 }).waitFor();
    await expectFit(page, 'account');
    await takeAction(page, 'Suspend', REASON, `${owner.username} is suspended.`);
    await page.getByText('Suspended by').waitFor();
    await expectFit(page, 'account-suspended');

    for (const { execute } of hooks) expect((await execute({ content: 'more' })).status).toBe(401);
    expect((await owner.api.get('/users/@me')).status).toBe(401);
    expect((await connection.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);

    await page.getByRole('link', { name: 'Operators’ log' }).click();
    const reasons = page.getByText(`“${REASON}”`);
    await reasons.waitFor();
    expect(await reasons.count()).toBe(1);
    await page.getByText('What changed').click();
    await expectFit(page, 'log');
    expect(await linesAbout(owner)).toMatchObject([
      {
        operator: 'local',
        action: 'account.suspend',
        reason: REASON,
        outcome: 'done',
        after: { suspension: { reason: REASON } },
      },
    ]);

    await page.getByRole('link', { name: `account:${owner.user.id}` }).click();
    await takeAction(page, 'Restore', 'It was a mistake.', `${owner.username} is restored.`);
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    const { email, password } = owner;
    const again = await expectOk<SessionAnswer>(stack.api.post('/auth/login', { email, password }));
    await expectOk(stack.api.as(`Bearer ${again.token}`).get('/users/@me'));
    for (const { execute } of hooks)
      await expect.poll(async () => (await execute({ content: 'again' })).status).toBe(204);
    expect((await owner.api.get('/users/@me')).status).toBe(401);
    expect((await linesAbout(owner)).map(({ action }) => action)).toEqual([
      'account.suspend',
      'account.restore',
    ]);
  });
});
