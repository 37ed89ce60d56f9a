import { accessTokenScopes } from './oauth2/access-token-scopes.ts';
import { deniedRoutes } from './oauth2/denied-routes.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(UNLIMITED);

accessTokenScopes(stack);
deniedRoutes(stack);
