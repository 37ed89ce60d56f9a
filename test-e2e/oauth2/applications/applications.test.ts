import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { applicationRaces } from './application-races.ts';
import { applicationSecrets } from './application-secrets.ts';
import { applications } from './applications.ts';
import { publicClients } from './public-clients.ts';
import { redirectUris } from './redirect-uris.ts';

const stack = useSharedStack(UNLIMITED);

applications(stack);
applicationSecrets(stack);
publicClients(stack);
redirectUris(stack);
applicationRaces(stack);
