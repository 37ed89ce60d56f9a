import { requireBot } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetBotGatewayRequest, GetBotGatewayResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';

/** Session starts are unlimited: `remaining` never decreases. */
const SESSION_START_LIMIT = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };

export function getBotGateway({ config }: Deps): Handler<GetBotGatewayRequest, GetBotGatewayResponse> {
  return (_request, { caller }) => {
    requireBot(caller);
    return { url: config.gateway_url, shards: 1, session_start_limit: SESSION_START_LIMIT };
  };
}
