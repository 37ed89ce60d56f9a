import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { channelEvents } from './channel-events.ts';
import { documentedEvents } from './documented-events.ts';
import { guildEvents } from './guild-events.ts';
import { privateEvents } from './private-events.ts';
import { visibility } from './visibility.ts';

const stack = useSharedStack(UNLIMITED);
const gateway = useGateway(stack);

guildEvents(stack, gateway);
channelEvents(stack, gateway);
privateEvents(stack, gateway);
visibility(stack, gateway);
documentedEvents(stack, gateway);
