import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { EndChannelsRequest, EndChannelsResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { deleteWebhooksIn } from '../store/webhooks.ts';

const MAX_CHANNELS = 1000;

export function endChannels({ db }: Deps): Handler<EndChannelsRequest, EndChannelsResponse> {
  return async ({ channel_ids }) => {
    const form = new Form();
    if (channel_ids.length > MAX_CHANNELS || !channel_ids.every(isSnowflake)) {
      form.fail('channel_ids', 'INVALID_FORMAT', `Must be at most ${MAX_CHANNELS} IDs.`);
    }
    form.check();
    await deleteWebhooksIn(db, channel_ids);
    return {};
  };
}
