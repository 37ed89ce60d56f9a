import { useAnySuite } from './support/suite.ts';
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

const suite = useAnySuite();

management(suite);
ruleM(suite);
checkOrder(suite);
auditEntries(suite);
tokenWebhook(suite);
avatars(suite);
lifetimes(suite);
races(suite);
wrongRequests(suite);
oddRequests(suite);
buckets(suite);
