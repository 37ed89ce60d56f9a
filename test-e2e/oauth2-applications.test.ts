import { applicationSecrets } from './oauth2/application-secrets.ts';
import { applications } from './oauth2/applications.ts';
import { races } from './oauth2/races.ts';
import { redirectUris } from './oauth2/redirect-uris.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(UNLIMITED);

applications(stack);
applicationSecrets(stack);
redirectUris(stack);
races(stack);
