import { bufCurl, grpcurl } from './clients/grpc-tools.ts';
import { PROXIED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(PROXIED);

grpcurl(suite);
bufCurl(suite);
