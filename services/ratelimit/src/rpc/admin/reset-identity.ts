import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetIdentityRequest, ResetIdentityResponse } from '@gatehouse/proto/ratelimit-admin';
import { identityBucket } from '../../admin/messages.ts';
import { readIdentity, readRow } from '../../admin/read-names.ts';
import type { Deps } from '../../deps.ts';

export function resetIdentity(deps: Deps): Handler<ResetIdentityRequest, ResetIdentityResponse> {
  const { rules, decider, overrides, identityBuckets } = deps;
  return async (request) => {
    const identity = readIdentity(request.identity);
    const bucket = readRow(request.bucket, rules.current())?.name;
    const buckets = identityBuckets(identity, bucket);
    const before = await decider.read(buckets);
    await decider.reset(buckets);
    await overrides.announceReset({ identity, bucket });
    return { before: before.filter(({ level }) => level > 0).map(identityBucket) };
  };
}
