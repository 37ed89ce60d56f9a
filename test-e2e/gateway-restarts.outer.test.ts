import { restarts } from './gateway/restarts.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useStack } from './support/stack.ts';

const stack = useStack(UNLIMITED);

restarts(stack, useGateway(stack));
