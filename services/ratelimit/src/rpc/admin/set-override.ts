import type { Handler } from '@gatehouse/kit/rpc';
import type { SetOverrideRequest, SetOverrideResponse } from '@gatehouse/proto/ratelimit-admin';
import { overrideMessage } from '../../admin/messages.ts';
import { readOverride } from '../../admin/read-override.ts';
import type { Deps } from '../../deps.ts';

export function setOverride({ rules, overrides }: Deps): Handler<SetOverrideRequest, SetOverrideResponse> {
  return async ({ override }) => {
    const read = readOverride(override, rules.current(), overrides.now_ms());
    const before = await overrides.set(read);
    return { before: before && overrideMessage(before) };
  };
}
