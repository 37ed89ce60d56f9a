import type { Handler } from '@gatehouse/kit/rpc';
import type { ResealRequest, ResealResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { readResealQuery, resealPage } from '../encryption/reencrypt.ts';

export function reseal(deps: Deps): Handler<ResealRequest, ResealResponse> {
  const { seals } = deps;
  return async (request) => {
    const page = await resealPage(deps, readResealQuery(request, seals));
    return { keys: [...seals.keys], ...page };
  };
}
