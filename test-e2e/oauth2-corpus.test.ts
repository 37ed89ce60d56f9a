import { authorizations } from './oauth2/authorizations.ts';
import { grants } from './oauth2/grants.ts';
import { oddAuthorizations } from './oauth2/odd-authorizations.ts';
import { oddBodies } from './oauth2/odd-bodies.ts';
import { otherKinds } from './oauth2/other-kinds.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(UNLIMITED);

otherKinds(stack);
authorizations(stack);
grants(stack);
oddAuthorizations(stack);
oddBodies(stack);
