import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { authorize } from './authorize.ts';
import { callbacks } from './callbacks.ts';
import { consentRules } from './consent-rules.ts';
import { groupDmInstallation } from './group-dm-installation.ts';
import { guildInstallation } from './guild-installation.ts';
import { silentAuthorization } from './silent-authorization.ts';

const WEB_APP_URL = 'https://app.test';

const stack = useSharedStack({ ...UNLIMITED, WEB_APP_URL });

authorize(stack, WEB_APP_URL);
silentAuthorization(stack, WEB_APP_URL);
consentRules(stack, WEB_APP_URL);
guildInstallation(stack);
groupDmInstallation(stack, WEB_APP_URL);
callbacks(stack, WEB_APP_URL);
