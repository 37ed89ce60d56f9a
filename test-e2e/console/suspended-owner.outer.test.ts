import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { screenshot } from '../web/screenshot.ts';
import { chromiumIsMissing, useBrowser } from '../web/use-browser.ts';
import { newOwnerOfBots } from './bots-of-an-owner.ts';
import { expectFit, localLink, takeAction } from './operator-page.ts';

/** Until an execution is counted. */
const POLL = { timeout: 20_000, interval: 1_000 };
const REASON = 'Floods webhooks through its bots.';

describe.skipIf(chromiumIsMissing)('a bot whose webhooks flood', () => {
  const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
  const browser = useBrowser();

  const open = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(new URL(path, stack.running.console_url).href);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  };

  it('leads to its owner, whose suspension all pages name', async () => {
    const { owner, ticker, webhooks } = await newOwnerOfBots(stack);
    const page = await browser.page();
    await page.goto(localLink(stack));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const main = page.locator('main');
    const ownerLink = main.getByRole('link', { name: owner.username });

    // All columns of the noisiest webhooks are in view on a desktop.
    const [first] = webhooks;
    await stack.api.post(`/webhooks/${first?.id}/${first?.token}`, { content: 'noise' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect
      .poll(async () => {
        await open(page, '/webhooks', 'Webhooks');
        await page.getByRole('link', { name: 'Newest first' }).waitFor();
        return main.getByRole('link', { name: 'ticker 1', exact: true }).count();
      }, POLL)
      .toBe(1);
    const hidden =
      "(() => { const t = document.querySelector('.table'); return t.scrollWidth - t.clientWidth; })()";
    expect(await page.evaluate(hidden)).toBeLessThanOrEqual(0);
    await screenshot(page, 'console-noisy-1440');

    // A search is an entry of the history.
    await open(page, '/webhooks', 'Webhooks');
    await page.getByLabel('Find webhooks').fill('ticker');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await main.getByRole('link', { name: 'ticker 2', exact: true }).waitFor();
    await ownerLink.first().waitFor();
    await expectFit(page, 'found-webhooks');
    await page.goBack();
    await page.getByRole('link', { name: 'Noisiest first' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/webhooks');
    expect(new URL(page.url()).search).toBe('');

    await open(page, `/webhooks/${webhooks[0]?.id}`, 'ticker 1');
    await main.getByText('This list leaves out').waitFor();
    await expectFit(page, 'webhook-of-bot');
    await main
      .getByRole('link', { name: ticker.id })
      .or(main.locator(`a[href="/accounts/${ticker.id}"]`))
      .first()
      .click();
    await main.getByText('Owner of the bot').waitFor();
    await main.locator(`a[href="/applications/${ticker.id}"]`).first().waitFor();
    await expectFit(page, 'bot');

    // The dialog of the bot names the owner, and leads to it.
    await main.getByRole('button', { name: 'Suspend', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`This is a bot of ${owner.username}, who has 1 more application.`).waitFor();
    await expectFit(page, 'bot-dialog');
    await dialog.getByRole('link', { name: owner.username }).click();
    await page.getByRole('heading', { name: owner.username, level: 1 }).waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('link', { name: 'Webhooks (2)' }).click();
    await main.getByRole('link', { name: 'ticker 1', exact: true }).waitFor();
    await expectFit(page, 'owner-webhooks');
    await main.getByRole('button', { name: 'Suspend', exact: true }).click();
    await dialog
      .getByText('It reaches 2 applications and 2 webhooks, including those of its bots.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await takeAction(page, 'Suspend', REASON, `${owner.username} is suspended.`);

    for (const [path, state] of [
      [`/accounts/${ticker.id}`, 'owner suspended'],
      [`/applications/${ticker.id}`, 'owner suspended'],
      [`/applications?q=${owner.user.id}`, 'owner suspended'],
      [`/webhooks/${webhooks[0]?.id}`, 'creator’s owner suspended'],
    ] as const) {
      await page.goto(new URL(path, stack.running.console_url).href);
      await main.getByText(state, { exact: true }).first().waitFor();
      await ownerLink.first().waitFor();
      await expectFit(page, `suspended-owner${path.replaceAll(/[^a-z]/g, '-')}`);
    }
  });
});
