import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  GetWebauthnRegistrationOptionsRequest,
  GetWebauthnRegistrationOptionsResponse,
} from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { registrationOptions } from '../../passkeys/registration-options.ts';

export function getWebauthnRegistrationOptions(
  deps: Deps,
): Handler<GetWebauthnRegistrationOptionsRequest, GetWebauthnRegistrationOptionsResponse> {
  return async (_request, { caller }) => {
    const account = await deps.batched.findAccount(requireSession(caller).account_id);
    const options = account && (await registrationOptions(deps, account));
    if (options === undefined) throw unauthorized();
    return { options };
  };
}
