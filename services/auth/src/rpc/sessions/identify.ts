import type { Handler } from '@gatehouse/kit/rpc';
import type { IdentifyRequest, IdentifyResponse } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { Deps } from '../../deps.ts';
import { isBotToken, isSessionToken, tokenHash } from '../../sessions/token.ts';
import type { Credential } from '../../store/accounts/identities.ts';

export function identify(deps: Deps): Handler<IdentifyRequest, IdentifyResponse> {
  return async (request) => {
    const credential = credentialOf(request);
    const identity = await deps.batched.findIdentity(credential);
    if (identity !== undefined && credential.kind === 'session') deps.lastUsed.note(identity.credential_id);
    return { identity };
  };
}

/** A malformed token gets the hash of no token: its look-up takes as long as any other. */
function credentialOf({ kind: offeredAs, token }: IdentifyRequest): Credential {
  const kind = offeredAs === CallerKind.CALLER_KIND_BOT ? 'bot' : 'session';
  const isOne = kind === 'bot' ? isBotToken(token) : isSessionToken(token);
  const ofNoOtherKind = kind === 'bot' || offeredAs === CallerKind.CALLER_KIND_SESSION;
  const lookedUp = isOne && ofNoOtherKind ? token : `no token: ${token.slice(0, 64)}`;
  return { kind, token_hash: tokenHash(lookedUp) };
}
