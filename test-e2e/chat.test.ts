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
import { PROXIED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(PROXIED);

routeRules(stack);
guilds(stack);
channels(stack);
permissions(stack);
invitesAndMembers(stack);
messages(stack);
messageMentions(stack);
slowmode(stack);
privateChannels(stack);
auditLog(stack);
