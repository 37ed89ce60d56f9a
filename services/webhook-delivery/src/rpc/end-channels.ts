import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { EndChannelsRequest, EndChannelsResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { deleteWebhooksIn } from '../store/webhooks.ts';

const MAX_CHANNELS = 1000;

export function endChannels({ db }: Deps): Handler<EndChannelsRequest, EndChannelsResponse> {
  return async ({ channel_ids }) => {
    if (channel_ids.length > MAX_CHANNELS || !channel_ids.every(isSnowflake)) {
      const message = `Must be at most ${MAX_CHANNELS} IDs.`;
      throw invalidForm([{ path: 'channel_ids', code: 'INVALID_FORMAT', message }]);
    }
    await deleteWebhooksIn(db, channel_ids);
    return {};
  };
}
