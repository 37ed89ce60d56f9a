import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { applicationSecrets } from './application-secrets.ts';
import { applications } from './applications.ts';
import { races } from './races.ts';
import { redirectUris } from './redirect-uris.ts';

const stack = useSharedStack(UNLIMITED);

applications(stack);
applicationSecrets(stack);
redirectUris(stack);
races(stack);
