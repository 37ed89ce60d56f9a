import { describe } from 'vitest';
import { PROXIED, useStack } from '../support/stack.ts';
import { applicationsOfAnAccount } from './account/applications.ts';
import { dataExportOfAnAccount } from './account/data-export.ts';
import { mailLinks } from './account/mail-links.ts';
import { mailbox } from './account/mailbox.ts';
import { nameAndPassword } from './account/name-and-password.ts';
import { passkeysOfAnAccount } from './account/passkeys.ts';
import { profileOfAnAccount } from './account/profile.ts';
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
  profileOfAnAccount(stack, browser);
  dataExportOfAnAccount(stack, browser);
  mailLinks(stack, browser);
  mailbox(stack, browser);
});
