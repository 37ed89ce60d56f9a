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

/** A malformed token is looked up by a hash that no token has, so that it takes as long as any other. */
function credentialOf({ kind, token }: IdentifyRequest): Credential {
  const isBot = kind === CallerKind.CALLER_KIND_BOT;
  const isWellFormed = isBot
    ? isBotToken(token)
    : kind === CallerKind.CALLER_KIND_SESSION && isSessionToken(token);
  const text = isWellFormed ? token : `no token: ${token.slice(0, 64)}`;
  return { kind: isBot ? 'bot' : 'session', token_hash: tokenHash(text) };
}
