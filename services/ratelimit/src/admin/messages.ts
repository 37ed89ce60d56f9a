import type {
  DeniedIdentity as DeniedMessage,
  IdentityBucket,
  Override as OverrideMessage,
} from '@gatehouse/proto/ratelimit-admin';
import { identitiesOfKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import type { BucketState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { stateMessage } from '../checks/messages.ts';
import { type DeniedIdentity, shown } from '../denied/denied-identity.ts';
import type { Override } from '../overrides/override.ts';

export function overrideMessage(override: Override): OverrideMessage {
  const { identity, bucket, quota, expires_at_ms, operator, reason } = override;
  return {
    identity,
    bucket,
    limit: quota?.limit,
    window_seconds: quota?.window_seconds,
    exempt: quota === undefined,
    expires_at_ms,
    operator,
    reason,
  };
}

export function identityBucket(state: BucketState): IdentityBucket {
  return { state: stateMessage(state), identities: identitiesOfKey(state.key) };
}

export function deniedMessage(denied: DeniedIdentity): DeniedMessage {
  const { bucket, denials, last_denied_us, denied_until_us } = denied;
  return {
    bucket,
    ...shown(denied),
    denials,
    last_denied_at_ms: Math.floor(last_denied_us / 1000),
    denied_until_ms: Math.ceil(denied_until_us / 1000),
  };
}
