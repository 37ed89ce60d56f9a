import { UNLIMITED, useStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { restarts } from './restarts.ts';

const stack = useStack(UNLIMITED);

restarts(stack, useGateway(stack));
