import type { Handler } from '@gatehouse/kit/rpc';
import type { LookUpIdentityRequest, LookUpIdentityResponse } from '@gatehouse/proto/ratelimit-admin';
import { identityBucket, overrideMessage } from '../../admin/messages.ts';
import { readIdentity } from '../../admin/read-names.ts';
import { fingerprintOf } from '../../denied/denied-identity.ts';
import type { Deps } from '../../deps.ts';
import { byExpiry } from '../../overrides/override.ts';

const MAX_BUCKETS = 1_000;

export function lookUpIdentity(deps: Deps): Handler<LookUpIdentityRequest, LookUpIdentityResponse> {
  const { decider, overrides, identityBuckets } = deps;
  return async (request) => {
    const identity = readIdentity(request.identity);
    const states = await decider.read(identityBuckets(identity, undefined));
    const listed = (await overrides.list()).filter((override) => override.identity === identity);
    return {
      buckets: states
        .filter(({ level }) => level > 0)
        .sort((a, b) => b.retry_after_us - a.retry_after_us || b.empty_after_us - a.empty_after_us)
        .slice(0, MAX_BUCKETS)
        .map(identityBucket),
      overrides: listed.sort(byExpiry).map(overrideMessage),
      fingerprint: fingerprintOf(identity),
    };
  };
}
