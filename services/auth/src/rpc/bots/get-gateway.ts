import type { Handler } from '@gatehouse/kit/rpc';
import type { GetGatewayRequest, GetGatewayResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';

export function getGateway({ config }: Deps): Handler<GetGatewayRequest, GetGatewayResponse> {
  return () => ({ url: config.gateway_url });
}
