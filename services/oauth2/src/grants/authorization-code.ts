import type { TokenForm } from '../clients/token-form.ts';
import { credentialHash } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import type { Issued } from '../store/exchange-grants.ts';
import type { Code } from '../store/find-codes.ts';
import type { Challenge } from '../store/insert-code.ts';
import { provesChallenge } from '../tokens/pkce.ts';
import type { GrantRequest } from './grant-request.ts';
import { refuseGrant } from './refuse-grant.ts';

type Step = (code: Code, request: GrantRequest) => boolean;

/** The checks of a code, in this order. A code that fails one is not consumed. */
const STEPS: readonly { readonly name: string; readonly holds: Step }[] = [
  { name: 'of this client', holds: (code, { application_id }) => code.application_id === application_id },
  { name: 'redirect URI', holds: (code, { form }) => code.redirect_uri === form.get('redirect_uri') },
  { name: 'PKCE', holds: (code, { form }) => provesChallenge(challengeOf(code), verifierIn(form)) },
];

/**
 * Exchanges a code for a pair of tokens.
 *
 * @throws INVALID_GRANT; the code can still be exchanged, unless it is unknown or consumed
 */
export async function exchangeAuthorizationCode(deps: Deps, request: GrantRequest): Promise<Issued> {
  const { application_id, pair } = request;
  const text = request.form.get('code');
  if (text === undefined) throw invalidGrant();
  const code_hash = credentialHash(text);
  const code = await deps.batched.findCode(code_hash);
  if (code === undefined) return refuseGrant(deps, application_id, code_hash);
  for (const { holds } of STEPS) if (!holds(code, request)) throw invalidGrant();
  const issued = await deps.batched.exchangeCode({ spent_hash: code_hash, application_id, ...pair });
  return issued ?? refuseGrant(deps, application_id, code_hash);
}

function challengeOf({ code_challenge, code_challenge_method }: Code): Challenge | undefined {
  if (code_challenge === null || code_challenge_method === null) return undefined;
  return { code_challenge, code_challenge_method };
}

function verifierIn(form: TokenForm): string | undefined {
  return form.get('code_verifier');
}
