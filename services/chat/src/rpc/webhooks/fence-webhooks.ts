import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FenceWebhooksRequest, FenceWebhooksResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { raiseWebhookFences } from '../../store/guilds/webhook-fences.ts';

const MAX_GUILDS = 100;

export function fenceWebhooks({ db }: Deps): Handler<FenceWebhooksRequest, FenceWebhooksResponse> {
  return async ({ guild_ids, fence }) => {
    if (guild_ids.length > MAX_GUILDS || !guild_ids.every(isSnowflake)) {
      const message = `Must be at most ${MAX_GUILDS} IDs.`;
      throw invalidForm([{ path: 'guild_ids', code: 'INVALID_FORMAT', message }]);
    }
    await raiseWebhookFences(db, guild_ids, fence);
    return {};
  };
}
