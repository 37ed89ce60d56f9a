import type { Handlers } from '@gatehouse/kit/rpc';
import type { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import type { Deps } from '../deps.ts';
import { check } from './check.ts';
import { listBuckets } from './list-buckets.ts';

export const ratelimitHandlers = (deps: Deps): Handlers<typeof RatelimitServiceDefinition> => ({
  check: check(deps),
  listBuckets: listBuckets(deps),
});
