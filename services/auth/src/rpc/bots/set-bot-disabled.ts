import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { SetBotDisabledRequest, SetBotDisabledResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { setBotDisabled as set } from '../../store/accounts/bots.ts';

export function setBotDisabled({ db, ids }: Deps): Handler<SetBotDisabledRequest, SetBotDisabledResponse> {
  return async ({ application_id, disabled, version }) => {
    if (isSnowflake(application_id)) await set(db, { application_id, disabled, version, token_id: ids() });
    return {};
  };
}
