import { resume } from './gateway/resume.ts';
import { revocation } from './gateway/revocation.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED } from './oauth2/calls.ts';
import { useSuite } from './support/suite.ts';

const suite = useSuite(UNLIMITED);
const gateway = useGateway(suite);

resume(suite, gateway);
revocation(suite, gateway);
