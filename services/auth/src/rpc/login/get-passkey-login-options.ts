import type { Handler } from '@gatehouse/kit/rpc';
import type { GetPasskeyLoginOptionsRequest, GetPasskeyLoginOptionsResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { loginOptions } from '../../passkeys/assertion-options.ts';

export function getPasskeyLoginOptions(
  deps: Deps,
): Handler<GetPasskeyLoginOptionsRequest, GetPasskeyLoginOptionsResponse> {
  return async () => ({ options: await loginOptions(deps) });
}
