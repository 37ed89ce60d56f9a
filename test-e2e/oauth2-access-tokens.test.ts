import { accessTokenScopes } from './oauth2/access-token-scopes.ts';
import { deniedRoutes } from './oauth2/denied-routes.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(UNLIMITED);

accessTokenScopes(suite);
deniedRoutes(suite);
