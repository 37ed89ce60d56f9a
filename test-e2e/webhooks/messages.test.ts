import { useAnyStack } from '../support/stack.ts';
import { executions } from './executions.ts';
import { ownMessages } from './own-messages.ts';
import { providers } from './providers.ts';

const stack = useAnyStack();

executions(stack);
ownMessages(stack);
providers(stack);
