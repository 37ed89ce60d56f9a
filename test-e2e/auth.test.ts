import { accounts } from './auth/accounts.ts';
import { bots } from './auth/bots.ts';
import { heldLogins } from './auth/held-logins.ts';
import { passkeys } from './auth/passkeys.ts';
import { proofs } from './auth/proofs.ts';
import { secondFactors } from './auth/second-factors.ts';
import { sessions } from './auth/sessions.ts';
import { PROXIED, useSharedSuite } from './support/suite.ts';

const suite = useSharedSuite({ ...PROXIED, LOGIN_LOCATION_CHECK: 'on' });

accounts(suite);
sessions(suite);
proofs(suite);
secondFactors(suite);
passkeys(suite);
heldLogins(suite);
bots(suite);
