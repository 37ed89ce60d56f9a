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
/** At once, of each webhook: more than its limit admits. */
const EXECUTIONS = 70;

describe.skipIf(chromiumIsMissing)('webhooks that flood', () => {
  const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
  const gateway = useGateway(stack);
  const browser = useBrowser();
  const operator = new ConsoleApi(stack);

  /** Executes each webhook beyond its limit. */
  async function flood(hooks: readonly WebhookFixture[]): Promise<void> {
    for (const { execute } of hooks) {
      const times = Array.from({ length: EXECUTIONS }, (_, time) => execute({ content: `flood ${time}` }));
      const statuses = (await Promise.all(times)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([204, 429]));
    }
  }

  async function linesAbout({ user }: Person): Promise<LogLine[]> {
    return (await operator.log()).filter(({ target }) => target === `account:${user.id}`);
  }

  /** The operator opens the one-time link, which works once. */
  async function enter(page: Page): Promise<void> {
    const link = localLink(stack);
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(page.url()).not.toContain('#');
  }

  /** From the overview over the noisiest webhooks to the account of their creator. */
  async function findCreator(page: Page, creator_id: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    for (const name of HOOKS) await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Alarms', exact: true }).click();
    await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor();
    await page.locator(`main a[href="/accounts/${creator_id}"]`).first().click();
  }

  /** The row of a webhook among the noisiest ones of the overview. */
  const noisyRow = (page: Page, name: string) =>
    page.locator('.noisy li').filter({ has: page.getByRole('link', { name, exact: true }) });

  /** The overview says by itself that the flood is over, and the way back leads to where it was scrolled. */
  async function seeItsEnd(page: Page, hooks: readonly WebhookFixture[], creator_id: string): Promise<void> {
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    for (const name of HOOKS) {
      const row = noisyRow(page, name);
      await row.getByText('creator suspended').waitFor();
      await row.getByText(/^\d+ posted, \d+ refused · last posted/).waitFor();
    }
    for (const { webhook } of hooks) {
      const row = noisyRow(page, `webhook:${webhook.id}`);
      await row.getByText('creator suspended').waitFor();
      await row.getByText(/ · last denied .* ago/).waitFor();
    }
    await expectFit(page, 'overview-after-flood');
    await page.setViewportSize({ width: 1280, height: 400 });
    const creator = noisyRow(page, 'Alarms').locator(`a[href="/accounts/${creator_id}"]`, {
      hasText: 'creator ',
    });
    await creator.scrollIntoViewIfNeeded();
    const top = () => page.evaluate<number>('scrollY');
    const before = await top();
    expect(before).toBeGreaterThan(100);
    await creator.click();
    await page.getByText('Suspended by').waitFor();
    await expect.poll(top).toBe(0);
    await page.goBack();
    await noisyRow(page, 'Alarms').waitFor();
    await expect.poll(top).toBe(before);
    await page.setViewportSize({ width: 1280, height: 800 });
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
    await takeAction(page, 'Suspend', REASON, `${owner.username} is suspended.`);
    await page.getByText('Suspended by').waitFor();

    for (const { execute } of hooks) expect((await execute({ content: 'more' })).status).toBe(401);
    expect((await owner.api.get('/users/@me')).status).toBe(401);
    expect((await connection.closed()).code).toBe(CLOSE.AUTHENTICATION_FAILED);

    await seeItsEnd(page, hooks, owner.user.id);

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
