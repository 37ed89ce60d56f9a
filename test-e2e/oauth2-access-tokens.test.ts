import { accessTokenScopes } from './oauth2/access-token-scopes.ts';
import { UNLIMITED } from './oauth2/calls.ts';
import { deniedRoutes } from './oauth2/denied-routes.ts';
import { useSuite } from './support/suite.ts';

const suite = useSuite(UNLIMITED);

accessTokenScopes(suite);
deniedRoutes(suite);
