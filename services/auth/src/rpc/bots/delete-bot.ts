import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { DeleteBotRequest, DeleteBotResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { deleteBotAccount } from '../../store/accounts/bots.ts';

export function deleteBot({ db, pictureChanges }: Deps): Handler<DeleteBotRequest, DeleteBotResponse> {
  return async ({ application_id, owner_id }) => {
    if (!isSnowflake(application_id) || !isSnowflake(owner_id)) return {};
    await deleteBotAccount(db, application_id, owner_id);
    await pictureChanges.send(application_id);
    return {};
  };
}
