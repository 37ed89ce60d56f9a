import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetSudoWebauthnOptionsRequest, GetSudoWebauthnOptionsResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { assertionOptions } from '../../passkeys/assertion-options.ts';

export function getSudoWebauthnOptions(
  deps: Deps,
): Handler<GetSudoWebauthnOptionsRequest, GetSudoWebauthnOptionsResponse> {
  return async (_request, { caller }) => {
    const options = await assertionOptions(deps, 'sudo', requireSession(caller).account_id);
    if (options === undefined) throw unauthorized();
    return { options };
  };
}
