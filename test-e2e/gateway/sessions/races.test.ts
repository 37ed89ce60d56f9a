import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { guildRaces } from './guild-races.ts';
import { sessionRaces } from './session-races.ts';

const stack = useSharedStack(UNLIMITED);
const gateway = useGateway(stack);

sessionRaces(stack, gateway);
guildRaces(stack, gateway);
