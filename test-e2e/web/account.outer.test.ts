import { describe } from 'vitest';
import { PROXIED, useStack } from '../support/stack.ts';
import { applicationsOfAnAccount } from './account/applications.ts';
import { mailLinks } from './account/mail-links.ts';
import { nameAndPassword } from './account/name-and-password.ts';
import { passkeysOfAnAccount } from './account/passkeys.ts';
import { secondFactorByApp } from './account/second-factor-by-app.ts';
import { sessionsOfAnAccount } from './account/sessions.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

describe.skipIf(chromiumIsMissing)('the account page', () => {
  const stack = useStack({ ...PROXIED, LOGIN_LOCATION_CHECK: 'on' }, undefined, 'localhost');
  const browser = useBrowser();
  sessionsOfAnAccount(stack, browser);
  secondFactorByApp(stack, browser);
  passkeysOfAnAccount(stack, browser);
  applicationsOfAnAccount(stack, browser);
  nameAndPassword(stack, browser);
  mailLinks(stack, browser);
});
