import { channelEvents } from './gateway/channel-events.ts';
import { guildEvents } from './gateway/guild-events.ts';
import { privateEvents } from './gateway/private-events.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { visibility } from './gateway/visibility.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(UNLIMITED);
const gateway = useGateway(stack);

guildEvents(stack, gateway);
channelEvents(stack, gateway);
privateEvents(stack, gateway);
visibility(stack, gateway);
