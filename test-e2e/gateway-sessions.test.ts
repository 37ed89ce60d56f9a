import { resume } from './gateway/resume.ts';
import { revocation } from './gateway/revocation.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite(UNLIMITED);
const gateway = useGateway(suite);

resume(suite, gateway);
revocation(suite, gateway);
