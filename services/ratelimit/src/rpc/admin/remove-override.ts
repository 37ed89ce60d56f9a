import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveOverrideRequest, RemoveOverrideResponse } from '@gatehouse/proto/ratelimit-admin';
import { overrideMessage } from '../../admin/messages.ts';
import { readIdentity, readRow } from '../../admin/read-names.ts';
import type { Deps } from '../../deps.ts';

export function removeOverride(deps: Deps): Handler<RemoveOverrideRequest, RemoveOverrideResponse> {
  const { rules, overrides } = deps;
  return async (request) => {
    const identity = readIdentity(request.identity);
    const before = await overrides.remove(identity, bucketOf(request.bucket));
    return { before: before && overrideMessage(before) };
  };

  /** A row that the reference does not have any more may still have an override. */
  function bucketOf(bucket: string | null | undefined): string | undefined {
    const isHeld = overrides.table.all().some((override) => override.bucket === bucket);
    return isHeld ? (bucket ?? undefined) : readRow(bucket, rules.current())?.name;
  }
}
