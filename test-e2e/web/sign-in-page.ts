import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from '../support/people.ts';

/** Fills in and submits the first step of sign-in, on any page that shows it. */
export async function submitPassword(page: Page, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function expectSignedIn(page: Page, { username }: Pick<Person, 'username'>): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('link', { name: username }).waitFor();
}

/** The label of the field that has the focus, or its text. */
const FOCUSED = '(document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent.trim()';

export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(FOCUSED);
}

export async function expectFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => focused(page)).toBe(name);
}
