import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createBot, installBot } from '../support/bots.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, setEveryone, takeRole } from '../support/guilds.ts';
import type { Guild } from '../support/objects.ts';
import { createGuild, freshAddress, type GuildFixture, newcomer, type Person } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';
import { expectAccessible } from './accessibility.ts';
import { checkAppearance } from './check-appearance.ts';
import { screenshot } from './screenshot.ts';
import { submitPassword } from './sign-in-page.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

const MANAGE_ROLES = 1n << 28n;
const KICK_MEMBERS = 1n << 1n;
/** 100 characters: markup, Arabic within Latin, and an emoji of several code points. */
const ODD_NAME = '<script>alert(1)</script> ورشة العمل 👩‍👩‍👧‍👦 '.padEnd(100, 'Workshop ').trim();

describe.skipIf(chromiumIsMissing)('the guild pages', () => {
  const stack = useAnyStack('localhost');
  const browser = useBrowser();

  /** A page at a path, with a signed-in user. */
  async function open(path: string, person: Person, expected: readonly RegExp[] = []): Promise<Page> {
    const page = await browser.page({ from: freshAddress(), expected });
    await page.goto(`${stack.url}${path}`);
    await submitPassword(page, person);
    await page.getByRole('link', { name: person.username }).waitFor();
    return page;
  }

  const tabsOf = (page: Page) =>
    page.getByRole('navigation', { name: 'Guild', exact: true }).getByRole('link').allTextContents();

  async function addModerator(home: GuildFixture): Promise<{ person: Person; role: { id: string } }> {
    const role = await createRole(home, { name: 'Moderator', permissions: String(MANAGE_ROLES) });
    const person = await join(stack.api, home);
    await giveRole(home, person, role);
    return { person, role };
  }

  test('somebody without a guild creates one, with the keyboard alone', async () => {
    const person = await newcomer(stack.api);
    const page = await open('/guilds', person);
    await page.getByRole('heading', { name: 'No guild to manage yet' }).waitFor();
    await checkAppearance(page, 'guilds-empty');
    await page.getByRole('button', { name: 'Create a guild' }).press('Enter');
    await page.keyboard.type(ODD_NAME);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: ODD_NAME }).waitFor();
    const [guild] = await expectOk<Guild[]>(person.api.get('/users/@me/guilds'));
    expect(new URL(page.url()).pathname).toBe(`/guilds/${guild?.id}`);
    expect(guild?.name).toBe(ODD_NAME);
    expect(await tabsOf(page)).toEqual(['Webhooks', 'Bots', 'Members and roles', 'Audit log']);

    await page.getByRole('link', { name: 'Bots' }).press('Enter');
    await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'New webhook' }).waitFor();
    await page.goto(`${stack.url}/guilds`);
    await page.getByRole('link', { name: ODD_NAME }).waitFor();
    await checkAppearance(page, 'guilds-list');
  });

  test('an owner removes a bot, changes roles, takes it back, and finds it all in the audit log', async () => {
    const home = await createGuild(await newcomer(stack.api));
    const { owner, guild } = home;
    await installBot(owner, guild, await createBot(owner), String(KICK_MEMBERS));
    const helper = await createRole(home, { name: `Helper ${ODD_NAME.slice(0, 80)}`, color: 0x2ecc71 });
    const member = await join(stack.api, home);
    const page = await open(`/guilds/${guild.id}#bots`, owner);

    await page.getByText(`Added by ${owner.username}`).waitFor();
    await checkAppearance(page, 'guild-bots');
    await page.getByRole('button', { name: /^Remove / }).press('Enter');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'No bots yet' }).waitFor();

    await page.getByRole('link', { name: 'Members and roles' }).press('Enter');
    await page.getByLabel('Search by name').fill(member.username.slice(2, 12).toUpperCase());
    await page.getByRole('button', { name: `Roles of ${owner.username}` }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Roles of ${member.username}` }).press('Enter');
    const box = page.getByRole('dialog').getByRole('checkbox', { name: 'Helper', exact: true });
    await box.press('Space');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText(`The roles of ${member.username} are saved.`).waitFor();
    await page.getByRole('list', { name: `Roles of ${member.username}` }).waitFor();
    await checkAppearance(page, 'guild-members');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('list', { name: `Roles of ${member.username}` }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Roles', exact: true }).press('Enter');
    await page.getByText(helper.name).first().waitFor();
    await checkAppearance(page, 'guild-roles');

    await page.getByRole('link', { name: 'Audit log' }).press('Enter');
    await page.getByText(`${owner.username} changed the roles of ${member.username}`).first().waitFor();
    await checkAppearance(page, 'guild-audit-log');
    await page.getByLabel('What').selectOption({ label: 'Bot added' });
    await page.getByText(/added the bot/).waitFor();
    await page
      .getByText(/changed the roles of/)
      .first()
      .waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(/added the bot/).waitFor();
    expect(await page.getByLabel('What').inputValue()).toBe('28');
    await page.goBack();
    await page
      .getByText(/changed the roles of/)
      .first()
      .waitFor();
  });

  test('a moderator sees one tab, and why some roles and members are out of reach', async () => {
    const home = await createGuild(await newcomer(stack.api));
    const { person, role } = await addModerator(home);
    await createRole(home, { name: 'Bouncer', permissions: String(KICK_MEMBERS) });
    await expectNoContent(
      home.owner.api.send('PATCH', `/guilds/${home.guild.id}/roles`, {
        body: { positions: [{ id: role.id, position: 9 }] },
      }),
    );
    const page = await open(`/guilds/${home.guild.id}`, person);
    await page.getByText('You may not remove members').waitFor();
    expect(await tabsOf(page)).toEqual(['Members and roles']);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: `Roles of ${home.owner.username}` }).count()).toBe(0);
    await page.getByRole('button', { name: `Roles of ${person.username}` }).press('Enter');
    const dialog = page.getByRole('dialog');
    const box = (name: RegExp) => dialog.getByRole('checkbox', { name });
    await dialog.getByText('Has permissions that you do not have: Remove members').waitFor();
    expect(await box(/^Bouncer/).isDisabled()).toBe(true);
    await dialog.getByText('Not below your highest role').waitFor();
    expect(await box(/^Moderator/).isDisabled()).toBe(true);
    await checkAppearance(page, 'guild-roles-of-member');
    await page.keyboard.press('Escape');
    await page.goto(`${stack.url}/guilds/${home.guild.id}#audit-log`);
    await page.getByRole('heading', { name: 'You may not manage this here' }).waitFor();
  });

  test('rights that end while the page is open, and a guild that is deleted, become an explanation', async () => {
    const home = await createGuild(await newcomer(stack.api));
    const { person, role } = await addModerator(home);
    const member = await join(stack.api, home);
    await createRole(home, { name: 'Low' });
    const page = await open(`/guilds/${home.guild.id}`, person);
    await page.getByRole('button', { name: `Roles of ${member.username}` }).click();
    await setEveryone(home, '0');
    await takeRole(home, person, role);
    await page.getByRole('checkbox', { name: 'Low', exact: true }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'You may manage nothing in this guild' }).waitFor();
    await expectAccessible(page);
    await expectNoContent(home.owner.api.send('DELETE', `/guilds/${home.guild.id}`));
    await page.reload();
    await page.getByRole('heading', { name: 'You are not in this guild' }).waitFor();
    await screenshot(page, 'guild-gone');
  });

  test('a stranger and a wrong address get an explanation', async () => {
    const home = await createGuild(await newcomer(stack.api));
    const page = await open(`/guilds/${home.guild.id}`, await newcomer(stack.api));
    await page.getByRole('heading', { name: 'You are not in this guild' }).waitFor();
    await page.goto(`${stack.url}/guilds/9223372036854775808`);
    await page.getByRole('heading', { name: 'You are not in this guild' }).waitFor();
    await expectAccessible(page);
  });

  test('while the server is away, what was typed stays, and "Try again" works', async () => {
    const home = await createGuild(await newcomer(stack.api));
    const member = await join(stack.api, home);
    const page = await open(`/guilds/${home.guild.id}#members`, home.owner, [/answered 503/]);
    await page.getByRole('button', { name: `Roles of ${member.username}` }).waitFor();
    await page.route('**/members?*', (route) =>
      route.fulfill({ status: 503, body: '{"code":"UNAVAILABLE"}' }),
    );
    await page.getByLabel('Search by name').fill(member.username);
    await page.getByRole('alert').getByText('The server is busy').waitFor();
    await page.unroute('**/members?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByRole('button', { name: `Roles of ${home.owner.username}` })
      .waitFor({ state: 'detached' });
    expect(await page.getByLabel('Search by name').inputValue()).toBe(member.username);
  });
});
