import { act } from '../../console/act.ts';
import { isObject, memberOf } from '../../json/members.ts';
import { factOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';
import { limitText } from './overrides.ts';

export interface OverrideOptions {
  readonly bucket?: string;
  readonly limit?: number;
  /** Seconds. */
  readonly window?: number;
  readonly exempt?: boolean;
  /** Milliseconds from now. */
  readonly for?: number;
  /** Milliseconds since the Unix epoch. */
  readonly until?: number;
  readonly remove?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

/** Sets an override, or ends it. */
export function override(identity: string, options: OverrideOptions, runtime: Runtime): Promise<void> {
  const { bucket, reason } = options;
  const path = '/limits/overrides';
  const where = bucket === undefined ? 'all buckets' : bucket;
  if (options.remove) {
    const done = (answer: unknown) => {
      const counted = factOf(answer, 'identity') ?? identity;
      return isObject(memberOf(answer, 'before'))
        ? `${counted} has its usual limit in ${where} again.`
        : `${counted} had no override in ${where}.`;
    };
    return act({ method: 'DELETE', path, body: { identity, bucket, reason }, done }, options, runtime);
  }
  const body = { identity, bucket, ...limitOf(options), reason };
  const until = new Date(body.expires_at_ms).toISOString();
  const done = (answer: unknown) =>
    `${factOf(answer, 'identity') ?? identity} in ${where}: ${limitText(body)} until ${until}.`;
  return act({ method: 'PUT', path, body, done }, options, runtime);
}

function limitOf({ limit, window, exempt, until, for: duration_ms = 0 }: OverrideOptions) {
  const expires_at_ms = until ?? Date.now() + duration_ms;
  return exempt ? { exempt, expires_at_ms } : { limit, window_seconds: window, expires_at_ms };
}
