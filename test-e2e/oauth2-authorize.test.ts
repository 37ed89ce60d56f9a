import { authorize } from './oauth2/authorize.ts';
import { callbacks } from './oauth2/callbacks.ts';
import { consentRules } from './oauth2/consent-rules.ts';
import { groupDmInstallation } from './oauth2/group-dm-installation.ts';
import { guildInstallation } from './oauth2/guild-installation.ts';
import { silentAuthorization } from './oauth2/silent.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const WEB_APP_URL = 'https://app.test';

const stack = useSharedStack({ ...UNLIMITED, WEB_APP_URL });

authorize(stack, WEB_APP_URL);
silentAuthorization(stack, WEB_APP_URL);
consentRules(stack, WEB_APP_URL);
guildInstallation(stack);
groupDmInstallation(stack, WEB_APP_URL);
callbacks(stack, WEB_APP_URL);
