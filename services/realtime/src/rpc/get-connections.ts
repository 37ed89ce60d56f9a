import type { Handler } from '@gatehouse/kit/rpc';
import type { GetConnectionsRequest, GetConnectionsResponse } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';

export function getConnections({ registry }: Deps): Handler<GetConnectionsRequest, GetConnectionsResponse> {
  return ({ account_id }) => ({ connections: registry.connectionsOf(account_id) });
}
