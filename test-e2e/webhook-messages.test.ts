import { useAnySuite } from './support/suite.ts';
import { chatcompatRows } from './webhooks/chatcompat-rows.ts';
import { codehostEvents } from './webhooks/codehost-events.ts';
import { codehostRules } from './webhooks/codehost-rules.ts';
import { executions } from './webhooks/executions.ts';
import { hostileTexts } from './webhooks/hostile-texts.ts';
import { longParts } from './webhooks/long-parts.ts';
import { mentionRules } from './webhooks/mention-rules.ts';
import { ownMessages } from './webhooks/own-messages.ts';
import { statuspageRows } from './webhooks/statuspage-rows.ts';
import { statuspageStatuses } from './webhooks/statuspage-statuses.ts';

const suite = useAnySuite();

executions(suite);
mentionRules(suite);
ownMessages(suite);
hostileTexts(suite);
longParts(suite);
chatcompatRows(suite);
codehostEvents(suite);
codehostRules(suite);
statuspageRows(suite);
statuspageStatuses(suite);
