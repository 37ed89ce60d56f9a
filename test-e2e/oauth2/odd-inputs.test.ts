import { UNLIMITED, useSharedStack } from '../support/stack.ts';
import { oddAuthorizations } from './odd-authorizations.ts';
import { oddBodies } from './odd-bodies.ts';
import { otherKinds } from './other-kinds.ts';

const stack = useSharedStack(UNLIMITED);

otherKinds(stack);
oddAuthorizations(stack);
oddBodies(stack);
