import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectNoContent, expectOk } from '../support/expect-status.ts';

import type { Message, Webhook } from '../support/objects.ts';
import { createGuild, newcomer, type Person } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { screenshot } from './screenshot.ts';
import { submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

/** What Alertmanager sends, with its default templates. */
const ALERT = new URL(
  '../../services/webhook-delivery/test/golden/chatcompat/alertmanager-firing.payload.json',
  import.meta.url,
);
const ODD_NAME = '<script>alert(1)</script> تنبيهات 👩‍👩‍👧';

describe.skipIf(chromiumIsMissing)('the webhooks of a guild', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();

  /** The tab of a new guild, and its owner. */
  async function open(): Promise<{ page: Page; owner: Person; guild_id: string; channel_id: string }> {
    const { owner, guild, channel } = await createGuild(await newcomer(stack.api));
    const page = await browser.page();
    await page.goto(`${stack.url}/guilds/${guild.id}#webhooks`);
    await submitPassword(page, owner);
    await page.getByRole('button', { name: 'New webhook' }).waitFor();
    return { page, owner, guild_id: guild.id, channel_id: channel.id };
  }

  async function create(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name, level: 2 }).waitFor();
  }

  const only = async (owner: Person, guild_id: string): Promise<Webhook> => {
    const [webhook] = await expectOk<Webhook[]>(owner.api.get(`/guilds/${guild_id}/webhooks`));
    if (webhook === undefined) throw new Error('the guild has no webhook');
    return webhook;
  };

  test('an alert gets into a channel, and a delivery that did not is explained and sent again', async () => {
    const { page, owner, guild_id, channel_id } = await open();
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('On: the webhooks of this guild keep').waitFor();
    await create(page, ODD_NAME);
    const { id, token } = await only(owner, guild_id);
    await page.getByLabel('What sends the messages?').selectOption('alertmanager');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the address' }).click();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(address).toContain(`/webhooks/${id}/${token}/chatcompat`);
    expect([await page.content(), page.url()].join()).not.toContain(token);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(token);

    const path = `/webhooks/${id}/${token}`;
    const alert: unknown = JSON.parse(await readFile(ALERT, 'utf8'));
    expect((await stack.api.post(`${path}/chatcompat`, alert)).text).toBe('ok');
    const event = { repository: { name: 'clock', full_name: 'ann/clock' }, sender: { login: 'ann' } };
    const headers = { 'x-codehost-event': 'public', 'x-codehost-delivery': 'one' };
    for (let time = 0; time < 2; time++)
      await expectNoContent(stack.api.post(`${path}/codehost`, event, headers));

    const rows = page.locator('.delivery');
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Reload', exact: true }).click();
        return rows.count();
      })
      .toBe(3);
    await page.getByLabel('Show').selectOption('duplicate');
    await page.getByText('The same event was posted in the last 24 hours.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'guild-webhook');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sending it again posts it a second time.').waitFor();
    await page.getByRole('button', { name: 'Post it again' }).click();
    await page.getByText('Sent again: the message is in the channel.').waitFor();
    const messages = await expectOk<Message[]>(owner.api.get(`/channels/${channel_id}/messages`));
    expect(messages).toHaveLength(3);
  });

  test('a payload is shown as its message while it is edited, and errors are located', async () => {
    const { page } = await open();
    await create(page, 'Alerts');
    const message = page.getByRole('article', { name: 'The message' });
    await message.getByText('[FIRING:1] DiskFull').waitFor();
    await page.getByLabel('Format').selectOption('codehost');
    await message.getByText('The clock is slow').waitFor();
    await page.getByLabel('What sends the messages?').selectOption('statuspage');
    await message.getByText('Slow searches').waitFor();
    await page.getByLabel('Format').selectOption('chatcompat');
    await page.getByLabel('Payload').fill('{"text": "a <b>bold</b> text"}');
    await message.getByText('a <b>bold</b> text').waitFor();
    await page.getByLabel('Payload').fill('{"text": "a",\n "b" }');
    await page.getByText('line 2, column 6').waitFor();
    await page.getByLabel('Format').selectOption('codehost');
    expect(await page.getByLabel('Payload').inputValue()).toBe('{"text": "a",\n "b" }');
    await page.getByLabel('Payload').focus();
    // A paste: Playwright types so much text for longer than half a minute.
    await page.evaluate(`const area = document.activeElement;
      area.value = 'x'.repeat(127).concat('\\n').repeat(${2 * 8 * 1024 + 1});
      area.dispatchEvent(new Event('input', { bubbles: true }));`);
    await page.getByText('a preview takes at most 2 MiB').waitFor();
  });

  test('a test message is posted, a webhook is renamed and deleted', async () => {
    const { page, owner, guild_id, channel_id } = await open();
    await create(page, 'Alerts');
    await page.getByLabel('What sends the messages?').selectOption('statuspage');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test message is in the channel.').waitFor();
    await page
      .locator('.delivery')
      .getByText(/^Status page .*test/)
      .waitFor();
    await page.getByLabel('What sends the messages?').selectOption('grafana');
    await page.getByText('The test message is in the channel.').waitFor({ state: 'detached' });
    expect(await expectOk<Message[]>(owner.api.get(`/channels/${channel_id}/messages`))).toHaveLength(1);
    await page.getByLabel('Name').fill('Alarms');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await only(owner, guild_id)).name).toBe('Alarms');
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no webhook yet.').waitFor();
  });
});
