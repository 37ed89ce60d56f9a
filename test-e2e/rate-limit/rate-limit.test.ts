import { useAnyStack } from '../support/stack.ts';
import { accountRouteLimits } from './account-routes.ts';
import { deniedFlood } from './denied-flood.ts';
import { globalLimit } from './global.ts';
import { loginLimits } from './login.ts';
import { webhookExecuteLimit } from './webhook-execute.ts';

const stack = useAnyStack();

webhookExecuteLimit(stack);
globalLimit(stack);
accountRouteLimits(stack);
loginLimits(stack);
deniedFlood(stack);
