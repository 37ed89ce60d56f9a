import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { useGateway } from '../support/use-gateway.ts';
import { resume } from './resume.ts';
import { revocation } from './revocation.ts';

const stack = useSharedStack(UNLIMITED);
const gateway = useGateway(stack);

resume(stack, gateway);
revocation(stack, gateway);
