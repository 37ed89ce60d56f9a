import { races } from './gateway/races.ts';
import { restarts } from './gateway/restarts.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useSuite } from './support/suite.ts';

const suite = useSuite(UNLIMITED);
const gateway = useGateway(suite);

races(suite, gateway);
restarts(suite, gateway);
