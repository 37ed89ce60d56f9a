import { PROXIED, useSharedStack } from '../support/stack.ts';
import { accounts } from './accounts.ts';
import { bots } from './bots.ts';
import { browserSessions } from './browser-sessions.ts';
import { heldLogins } from './held-logins.ts';
import { passkeys } from './passkeys.ts';
import { proofs } from './proofs.ts';
import { secondFactors } from './second-factors.ts';
import { sessions } from './sessions.ts';

const stack = useSharedStack({ ...PROXIED, LOGIN_LOCATION_CHECK: 'on' });

accounts(stack);
sessions(stack);
browserSessions(stack);
proofs(stack);
secondFactors(stack);
passkeys(stack);
heldLogins(stack);
bots(stack);
