import { closeCodes } from './gateway/close-codes.ts';
import { hello } from './gateway/hello.ts';
import { ready } from './gateway/ready.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { useAnySuite } from './support/suite.ts';

const suite = useAnySuite();
const gateway = useGateway(suite);

hello(suite, gateway);
closeCodes(suite, gateway);
ready(suite, gateway);
