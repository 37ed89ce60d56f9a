import { describe, expect, it } from 'vitest';
import { expectOk } from '../support/expect-status.ts';
import type { Webhook } from '../support/objects.ts';
import { createGuild, freshAddress, newcomer } from '../support/people.ts';
import { PROXIED, useSharedStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { screenshot } from './screenshot.ts';
import { submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

const CHANNELS = 500;
const WEBHOOKS = 1_000;
/** Names of 100 characters, with Arabic, markup and an emoji of several code points. */
const ODD_NAME = 'قناة <script>alert(1)</script> 👩‍👩‍👧 '.padEnd(90, 'Channel ');

describe.skipIf(chromiumIsMissing)('a guild with 500 channels and 1,000 webhooks', () => {
  const stack = useSharedStack(PROXIED, 'localhost');
  const browser = useBrowser();

  /** IDs below that of the guild are free. */
  async function fill(guild_id: string, owner_id: string): Promise<void> {
    await stack.query(
      'chat',
      `INSERT INTO channels (id, guild_id, type, name, position)
       SELECT $1::bigint - 1 - n, $1, 0, $2 || 'no. ' || n, n FROM generate_series(1, $3::int) AS n`,
      [guild_id, ODD_NAME, CHANNELS - 1],
    );
    await stack.query(
      'webhook-delivery',
      `INSERT INTO webhooks (id, guild_id, channel_id, name, token, creator_id)
       SELECT $1::bigint - 1 - n, $1, $1::bigint - 2 - n % $4, left($2, 70) || 'no. ' || n, md5(n::text) || md5($1::text), $3
         FROM generate_series(1, $5::int) AS n`,
      [guild_id, ODD_NAME, owner_id, CHANNELS - 1, WEBHOOKS],
    );
  }

  it('shows 100 webhooks at a time, finds one by its name or channel, and moves it to any channel', async () => {
    const { owner, guild, channel } = await createGuild(await newcomer(stack.api));
    await fill(guild.id, owner.user.id);
    const page = await browser.page({ from: freshAddress() });
    await page.goto(`${stack.url}/guilds/${guild.id}#webhooks`);
    await submitPassword(page, owner);
    const rows = page.locator('.webhook-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(200);

    const filter = page.getByLabel('Find by name or channel');
    await filter.fill('no. 998');
    await page.getByText('1 webhook', { exact: true }).waitFor();
    expect(
      await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0);
    await expectAccessible(page);
    await screenshot(page, 'guild-large');
    await page.getByRole('link', { name: /^Open: / }).click();
    const choice = page.getByLabel('Channel');
    await expect.poll(() => choice.getByRole('option').count()).toBe(CHANNELS);
    await choice.selectOption(channel.id);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const moved = await expectOk<Webhook[]>(owner.api.get(`/channels/${channel.id}/webhooks`));
    expect(moved.map(({ name }) => name.endsWith('no. 998'))).toEqual([true]);

    await page.goBack();
    expect(await filter.inputValue()).toBe('no. 998');
    await page
      .getByRole('link', { name: /^Open: / })
      .and(page.locator(':focus'))
      .waitFor();
    await filter.fill(channel.name ?? '');
    await expect.poll(() => rows.count()).toBe(1);
  });
});
