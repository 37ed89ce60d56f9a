import type { Handler } from '@gatehouse/kit/rpc';
import type { ListDeniedRequest, ListDeniedResponse } from '@gatehouse/proto/ratelimit-admin';
import { deniedMessage } from '../../admin/messages.ts';
import { pageLimit } from '../../admin/page-limit.ts';
import type { Deps } from '../../deps.ts';

const DEFAULT_LIMIT = 50;

export function listDenied({ denied }: Deps): Handler<ListDeniedRequest, ListDeniedResponse> {
  return ({ limit }) => ({ identities: denied.top(pageLimit(limit, DEFAULT_LIMIT)).map(deniedMessage) });
}
