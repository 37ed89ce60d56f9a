import { restarts } from './gateway/restarts.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useSuite } from './support/suite.ts';

const suite = useSuite(UNLIMITED);

restarts(suite, useGateway(suite));
