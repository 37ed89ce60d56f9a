import { useAnyStack } from '../support/stack.ts';
import { auditEntries } from './audit-entries.ts';
import { avatars } from './avatars.ts';
import { checkOrder } from './check-order.ts';
import { deliveries } from './deliveries.ts';
import { lifetimes } from './lifetimes.ts';
import { manageWebhooks } from './manage-webhooks.ts';
import { management } from './management.ts';
import { oddWebhookRequests } from './odd-webhook-requests.ts';
import { tokenWebhook } from './token-webhook.ts';
import { webhookBuckets } from './webhook-buckets.ts';
import { webhookRaces } from './webhook-races.ts';
import { wrongRequests } from './wrong-requests.ts';

const stack = useAnyStack();

management(stack);
manageWebhooks(stack);
checkOrder(stack);
auditEntries(stack);
tokenWebhook(stack);
avatars(stack);
lifetimes(stack);
deliveries(stack);
webhookRaces(stack);
wrongRequests(stack);
oddWebhookRequests(stack);
webhookBuckets(stack);
