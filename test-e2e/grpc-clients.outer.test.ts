import { bufCurl, grpcurl } from './clients/grpc-tools.ts';
import { PROXIED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(PROXIED);

grpcurl(stack);
bufCurl(stack);
