import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { sessionRaces } from './session-races.ts';

const stack = useSharedStack(UNLIMITED);

sessionRaces(stack, useGateway(stack));
