import { requireAccount } from '@gatehouse/kit/caller';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListConnectionsRequest, ListConnectionsResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';

/** Accounts have no connections yet (docs/credentials.md#connections). */
export function listConnections({ batched }: Deps): Handler<ListConnectionsRequest, ListConnectionsResponse> {
  return async (_request, { caller }) => {
    if ((await batched.findAccount(requireAccount(caller))) === undefined) throw unauthorized();
    return { connections: [] };
  };
}
