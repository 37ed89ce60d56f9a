import { PROXIED, useSharedStack } from '../../support/stack.ts';
import { bufCurl, grpcurl } from './grpc-tools.ts';

const stack = useSharedStack(PROXIED);

grpcurl(stack);
bufCurl(stack);
