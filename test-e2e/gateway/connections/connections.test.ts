import { useAnyStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { closeCodes } from './close-codes.ts';
import { hello } from './hello.ts';
import { ready } from './ready.ts';

const stack = useAnyStack();
const gateway = useGateway(stack);

hello(stack, gateway);
closeCodes(stack, gateway);
ready(stack, gateway);
