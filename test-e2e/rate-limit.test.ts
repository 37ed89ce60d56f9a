import { accountRouteLimits } from './rate-limit/account-routes.ts';
import { deniedFlood } from './rate-limit/denied-flood.ts';
import { globalLimit } from './rate-limit/global.ts';
import { loginLimits } from './rate-limit/login.ts';
import { webhookExecuteLimit } from './rate-limit/webhook-execute.ts';
import { useAnyStack } from './support/stack.ts';

const stack = useAnyStack();

webhookExecuteLimit(stack);
globalLimit(stack);
accountRouteLimits(stack);
loginLimits(stack);
deniedFlood(stack);
