import { closeCodes } from './gateway/close-codes.ts';
import { hello } from './gateway/hello.ts';
import { ready } from './gateway/ready.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { useAnyStack } from './support/stack.ts';

const stack = useAnyStack();
const gateway = useGateway(stack);

hello(stack, gateway);
closeCodes(stack, gateway);
ready(stack, gateway);
