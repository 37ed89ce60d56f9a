import { auditLog } from './chat/audit-log.ts';
import { channels } from './chat/channels.ts';
import { guilds } from './chat/guilds.ts';
import { invitesAndMembers } from './chat/invites-and-members.ts';
import { messageMentions } from './chat/message-mentions.ts';
import { messages } from './chat/messages.ts';
import { permissions } from './chat/permissions.ts';
import { privateChannels } from './chat/private-channels.ts';
import { routeRules } from './chat/route-rules.ts';
import { slowmode } from './chat/slowmode.ts';
import { PROXIED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(PROXIED);

routeRules(suite);
guilds(suite);
channels(suite);
permissions(suite);
invitesAndMembers(suite);
messages(suite);
messageMentions(suite);
slowmode(suite);
privateChannels(suite);
auditLog(suite);
