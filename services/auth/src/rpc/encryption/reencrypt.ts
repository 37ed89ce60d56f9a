import type { Handler } from '@gatehouse/kit/rpc';
import type { ReencryptRequest, ReencryptResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { readReencryptQuery, reencryptPage } from '../../reencryption/reencrypt.ts';

export function reencrypt(deps: Deps): Handler<ReencryptRequest, ReencryptResponse> {
  const { encryption } = deps;
  return async (request) => {
    const page = await reencryptPage(deps, readReencryptQuery(request, encryption));
    return { keys: [...encryption.keys], ...page };
  };
}
