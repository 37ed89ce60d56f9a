import { authorize } from './oauth2/authorize.ts';
import { callbacks } from './oauth2/callbacks.ts';
import { consentRules } from './oauth2/consent-rules.ts';
import { groupDmInstallation } from './oauth2/group-dm-installation.ts';
import { guildInstallation } from './oauth2/guild-installation.ts';
import { silentAuthorization } from './oauth2/silent.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';

const WEB_APP_URL = 'https://app.test';

const suite = useSharedSuite({ ...UNLIMITED, WEB_APP_URL });

authorize(suite, WEB_APP_URL);
silentAuthorization(suite, WEB_APP_URL);
consentRules(suite, WEB_APP_URL);
guildInstallation(suite);
groupDmInstallation(suite, WEB_APP_URL);
callbacks(suite, WEB_APP_URL);
