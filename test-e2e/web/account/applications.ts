import type { Browser } from '@gatehouse/dev-env/browser/browser';
import { expect, it } from 'vitest';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import { expectError } from '../../support/expect-error.ts';
import { freshAddress } from '../../support/people.ts';
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
    const applications = page.getByRole('region', { name: 'Applications' });
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
}
