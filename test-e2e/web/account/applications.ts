import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { expect, it } from 'vitest';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import { createBot, installBot } from '../../support/bots.ts';
import { expectError } from '../../support/expect-error.ts';
import { newGuild } from '../../support/guilds.ts';
import { createGuild, freshAddress, newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectAccessible } from '../accessibility.ts';
import { screenshot } from '../screenshot.ts';
import { expectAnnounced, openAccount } from './visitor.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export function applicationsOfAnAccount(stack: TestStack, browser: Pick<Browser, 'page'>): void {
  const askForTokens = ({ client_id, client_secret }: OauthClient, grant: Record<string, string>) => {
    const form = new URLSearchParams({ client_id, client_secret, ...grant });
    return stack.api.from(freshAddress()).post('/oauth2/token', form.toString(), FORM);
  };

  async function rename({ client_id, owner }: OauthClient, name: string): Promise<void> {
    const reply = await owner.api.send('PATCH', `/oauth2/applications/${client_id}`, { body: { name } });
    expect(reply.status, reply.text).toBe(200);
  }

  it('lists authorized applications, and removes access: the refresh token is dead as well', async () => {
    const client = await newOauthClient(stack.api);
    const second = { ...(await newOauthClient(stack.api)), person: client.person };
    const other = { ...(await newOauthClient(stack.api)), person: client.person };
    const refreshTokens: string[] = [];
    for (const each of [client, second, other]) {
      const grant = {
        grant_type: 'authorization_code',
        code: await newCode(each),
        redirect_uri: REDIRECT_URI,
      };
      const reply = await askForTokens(each, grant);
      refreshTokens.push(reply.json<{ refresh_token: string }>().refresh_token);
    }
    await rename(client, 'Calendar');
    await rename(second, 'Quiz');

    const page = await browser.page({ from: freshAddress() });
    await openAccount(stack, page, client.person);
    const applications = page.getByRole('region', { name: 'Applications', exact: true });
    await applications.getByLabel('Calendar').check();
    await applications.getByLabel('Quiz').check();
    expect(await applications.textContent()).toContain('See your e-mail address');
    await expectAccessible(page);
    await screenshot(page, 'account-applications');
    await applications.getByRole('button', { name: 'Remove access' }).click();
    const question = page.getByRole('dialog', { name: 'Remove access?' });
    expect(await question.textContent()).toContain('stays in its guilds');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Remove access' }).click();
    await expectAnnounced(page, 'Calendar and Quiz can no longer use your account.');
    expect(await applications.getByRole('checkbox').count()).toBe(1);

    const [first = '', dead = '', alive = ''] = refreshTokens;
    const refresh = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token });
    expectError(await askForTokens(client, refresh(first)), 400, 'INVALID_GRANT');
    expectError(await askForTokens(second, refresh(dead)), 400, 'INVALID_GRANT');
    expect((await askForTokens(other, refresh(alive))).status).toBe(200);
  });

  it('lists the guilds with their bots, and the applications that the user has made', async () => {
    const person = await newcomer(stack.api);
    const { guild } = await createGuild(person, 'Lab');
    const joined = await newGuild(stack.api);
    await person.api.post(`/invites/${await joined.invite()}`);
    const client = { ...(await newOauthClient(stack.api)), person };
    const code = await newCode(client);
    await askForTokens(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    await rename(client, 'Calendar');
    await installBot(person, guild, { id: client.client_id });
    const own = await createBot(person);

    const page = await browser.page({ from: freshAddress() });
    await openAccount(stack, page, person);
    const applications = page.getByRole('region', { name: 'Applications', exact: true });
    const inGuild = applications.getByRole('listitem').filter({ hasText: 'Its bot is in' });
    const bots = `/guilds/${guild.id}#bots`;
    expect(await inGuild.getByRole('link', { name: 'Lab' }).getAttribute('href')).toBe(bots);

    const section = page.getByRole('region', { name: 'Your guilds and bots' });
    const rows = section.getByRole('listitem');
    expect(await rows.filter({ hasText: 'Owner' }).textContent()).toContain('Bots: ');
    const ofGuild = section.getByRole('link', { name: 'Lab', exact: true });
    expect(await ofGuild.getAttribute('href')).toBe(`/guilds/${guild.id}`);
    expect(await rows.filter({ hasText: joined.guild.name }).count()).toBe(1);
    expect(await section.getByRole('link', { name: 'Helper' }).getAttribute('href')).toBe(
      `/developers#${own.id}`,
    );
    await expectAccessible(page);
    await screenshot(page, 'account-guilds');
    await section.getByRole('link', { name: 'Manage bots: Lab' }).click();
    await page.getByRole('button', { name: /^Remove/ }).waitFor();
  });
}
