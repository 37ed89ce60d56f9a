import { applicationSecrets } from './oauth2/application-secrets.ts';
import { applications } from './oauth2/applications.ts';
import { races } from './oauth2/races.ts';
import { redirectUris } from './oauth2/redirect-uris.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(UNLIMITED);

applications(suite);
applicationSecrets(suite);
redirectUris(suite);
races(suite);
