import { useAnyStack } from '../support/stack.ts';
import { auditEntries } from './audit-entries.ts';
import { avatars } from './avatars.ts';
import { buckets } from './buckets.ts';
import { checkOrder } from './check-order.ts';
import { lifetimes } from './lifetimes.ts';
import { ruleM } from './manage-webhooks.ts';
import { management } from './management.ts';
import { oddRequests } from './odd-requests.ts';
import { races } from './races.ts';
import { tokenWebhook } from './token-webhook.ts';
import { wrongRequests } from './wrong-requests.ts';

const stack = useAnyStack();

management(stack);
ruleM(stack);
checkOrder(stack);
auditEntries(stack);
tokenWebhook(stack);
avatars(stack);
lifetimes(stack);
races(stack);
wrongRequests(stack);
oddRequests(stack);
buckets(stack);
