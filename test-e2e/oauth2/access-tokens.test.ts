import { UNLIMITED, useSharedStack } from '../support/stack.ts';
import { accessTokenScopes } from './access-token-scopes.ts';
import { authorizations } from './authorizations.ts';
import { deniedRoutes } from './denied-routes.ts';
import { grants } from './grants.ts';

const stack = useSharedStack(UNLIMITED);

accessTokenScopes(stack);
deniedRoutes(stack);
authorizations(stack);
grants(stack);
