import { races } from './gateway/races.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(UNLIMITED);

races(suite, useGateway(suite));
