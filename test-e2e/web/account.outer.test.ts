import { describe } from 'vitest';
import { PROXIED, useSuite } from '../support/suite.ts';
import { applicationsOfAnAccount } from './account/applications.ts';
import { mailLinks } from './account/mail-links.ts';
import { nameAndPassword } from './account/name-and-password.ts';
import { passkeysOfAnAccount } from './account/passkeys.ts';
import { secondFactorByApp } from './account/second-factor-by-app.ts';
import { sessionsOfAnAccount } from './account/sessions.ts';
import { chromiumIsMissing, useBrowser } from './use-browser.ts';

describe.skipIf(chromiumIsMissing)('the account page', () => {
  const suite = useSuite({ ...PROXIED, LOGIN_LOCATION_CHECK: 'on' }, undefined, 'localhost');
  const browser = useBrowser();
  sessionsOfAnAccount(suite, browser);
  secondFactorByApp(suite, browser);
  passkeysOfAnAccount(suite, browser);
  applicationsOfAnAccount(suite, browser);
  nameAndPassword(suite, browser);
  mailLinks(suite, browser);
});
