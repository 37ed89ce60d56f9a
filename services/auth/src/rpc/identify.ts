import type { Handler } from '@gatehouse/kit/rpc';
import type { IdentifyRequest, IdentifyResponse } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { Deps } from '../deps.ts';
import type { Credential } from '../store/identities.ts';
import { isBotToken, isSessionToken, tokenHash } from '../token.ts';

export function identify(deps: Deps): Handler<IdentifyRequest, IdentifyResponse> {
  return async (request) => {
    const kind = credentialKind(request);
    if (kind === undefined) return { identity: null };
    const identity = await deps.identify({ kind, token_hash: tokenHash(request.token) });
    return { identity };
  };
}

/** Undefined: the token is not one of that kind, and nobody needs to be asked. */
function credentialKind({ kind, token }: IdentifyRequest): Credential['kind'] | undefined {
  if (kind === CallerKind.CALLER_KIND_SESSION && isSessionToken(token)) return 'session';
  if (kind === CallerKind.CALLER_KIND_BOT && isBotToken(token)) return 'bot';
  return undefined;
}
