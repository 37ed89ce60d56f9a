import { useAnyStack } from './support/stack.ts';
import { auditEntries } from './webhooks/audit-entries.ts';
import { avatars } from './webhooks/avatars.ts';
import { buckets } from './webhooks/buckets.ts';
import { checkOrder } from './webhooks/check-order.ts';
import { lifetimes } from './webhooks/lifetimes.ts';
import { management } from './webhooks/management.ts';
import { oddRequests } from './webhooks/odd-requests.ts';
import { races } from './webhooks/races.ts';
import { ruleM } from './webhooks/rule-m.ts';
import { tokenWebhook } from './webhooks/token-webhook.ts';
import { wrongRequests } from './webhooks/wrong-requests.ts';

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
