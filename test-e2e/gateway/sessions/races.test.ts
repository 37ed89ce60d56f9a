import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { races } from './races.ts';

const stack = useSharedStack(UNLIMITED);

races(stack, useGateway(stack));
