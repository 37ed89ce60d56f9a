import type { Browser, PageOptions } from '@gatehouse/dev-env/browser/browser';
import type { Page } from 'playwright-core';
import { freshAddress, type Person, register } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

/** A user and their page, both from the same address. */
export interface Visitor {
  readonly person: Person;
  readonly page: Page;
  readonly from: string;
}

/** Opens the account page of a new account, signed in with the session of its registration. */
export async function openVisitor(
  stack: TestStack,
  browser: Pick<Browser, 'page'>,
  options: PageOptions = {},
): Promise<Visitor> {
  const from = freshAddress();
  const person = await register(stack.api.from(from));
  const page = await browser.page({ from, ...options });
  await openAccount(stack, page, person);
  return { person, page, from };
}

/** Opens the account page as a user whose session is in the tab's storage. */
export async function openAccount(
  stack: TestStack,
  page: Page,
  { token, user }: Pick<Person, 'token' | 'user'>,
): Promise<void> {
  const session = JSON.stringify(JSON.stringify({ token, user_id: user.id }));
  await page.goto(`${stack.url}/livez`);
  await page.evaluate(`sessionStorage.setItem('gatehouse.session', ${session})`);
  await page.goto(`${stack.url}/account`);
  await page.getByRole('heading', { name: 'You', exact: true }).waitFor();
}

/** Signs in with the form of the account page. */
export async function signIn(stack: TestStack, page: Page, { email, password }: Person): Promise<void> {
  await page.goto(`${stack.url}/account`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Completes the sudo mode dialog. */
export async function confirmByPassword(page: Page, password: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Is it really you?' });
  await question.getByLabel('Password').fill(password);
  await question.getByRole('button', { name: 'Continue' }).click();
}

export async function confirmByCode(page: Page, code: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Is it really you?' });
  await question.getByLabel('Code').fill(code);
  await question.getByRole('button', { name: 'Continue' }).click();
}

/** The result is announced, and gets the focus. */
export async function expectAnnounced(page: Page, words: string): Promise<void> {
  await page.locator('[role="status"]:focus').filter({ hasText: words }).waitFor();
}
