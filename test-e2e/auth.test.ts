import { accounts } from './auth/accounts.ts';
import { bots } from './auth/bots.ts';
import { heldLogins } from './auth/held-logins.ts';
import { passkeys } from './auth/passkeys.ts';
import { proofs } from './auth/proofs.ts';
import { secondFactors } from './auth/second-factors.ts';
import { sessions } from './auth/sessions.ts';
import { PROXIED, useSharedStack } from './support/stack.ts';

const stack = useSharedStack({ ...PROXIED, LOGIN_LOCATION_CHECK: 'on' });

accounts(stack);
sessions(stack);
proofs(stack);
secondFactors(stack);
passkeys(stack);
heldLogins(stack);
bots(stack);
