import { useAnyStack } from './support/stack.ts';
import { executions } from './webhooks/executions.ts';
import { ownMessages } from './webhooks/own-messages.ts';
import { providers } from './webhooks/providers.ts';

const stack = useAnyStack();

executions(stack);
ownMessages(stack);
providers(stack);
