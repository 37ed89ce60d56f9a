import { PROXIED, useSharedStack } from '../support/stack.ts';
import { auditLog } from './audit-log.ts';
import { channels } from './channels.ts';
import { guilds } from './guilds.ts';
import { invitesAndMembers } from './invites-and-members.ts';
import { messageMentions } from './message-mentions.ts';
import { messages } from './messages.ts';
import { permissions } from './permissions.ts';
import { privateChannels } from './private-channels.ts';
import { routeRules } from './route-rules.ts';
import { slowmode } from './slowmode.ts';

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
