import { accountRouteLimits } from './rate-limit/account-routes.ts';
import { deniedFlood } from './rate-limit/denied-flood.ts';
import { globalLimit } from './rate-limit/global.ts';
import { loginLimits } from './rate-limit/login.ts';
import { webhookExecuteLimit } from './rate-limit/webhook-execute.ts';
import { useAnySuite } from './support/suite.ts';

const suite = useAnySuite();

webhookExecuteLimit(suite);
globalLimit(suite);
accountRouteLimits(suite);
loginLimits(suite);
deniedFlood(suite);
