import type { Handler } from '@gatehouse/kit/rpc';
import type { ListOverridesRequest, ListOverridesResponse } from '@gatehouse/proto/ratelimit-admin';
import { overrideMessage } from '../../admin/messages.ts';
import { overridePage } from '../../admin/override-page.ts';
import { pageLimit } from '../../admin/page-limit.ts';
import type { Deps } from '../../deps.ts';

const DEFAULT_LIMIT = 100;

export function listOverrides({ overrides }: Deps): Handler<ListOverridesRequest, ListOverridesResponse> {
  return async ({ after, limit }) => {
    const length = pageLimit(limit, DEFAULT_LIMIT);
    const { page, next } = overridePage(await overrides.list(), after, length);
    return { overrides: page.map(overrideMessage), next };
  };
}
