import { races } from './gateway/races.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(UNLIMITED);

races(stack, useGateway(stack));
