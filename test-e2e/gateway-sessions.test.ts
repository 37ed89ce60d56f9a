import { resume } from './gateway/resume.ts';
import { revocation } from './gateway/revocation.ts';
import { useGateway } from './gateway/use-gateway.ts';
import { UNLIMITED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack(UNLIMITED);
const gateway = useGateway(stack);

resume(stack, gateway);
revocation(stack, gateway);
