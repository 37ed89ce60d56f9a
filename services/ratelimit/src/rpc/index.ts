import type { Handlers } from '@gatehouse/kit/rpc';
import type { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import type { RatelimitAdminServiceDefinition } from '@gatehouse/proto/ratelimit-admin';
import type { Deps } from '../deps.ts';
import { listDenied } from './admin/list-denied.ts';
import { listOverrides } from './admin/list-overrides.ts';
import { lookUpIdentity } from './admin/look-up-identity.ts';
import { removeOverride } from './admin/remove-override.ts';
import { resetIdentity } from './admin/reset-identity.ts';
import { setOverride } from './admin/set-override.ts';
import { check } from './check.ts';
import { checkMany } from './check-many.ts';
import { checkStream } from './check-stream.ts';
import { explain } from './explain.ts';
import { getStatistics } from './get-statistics.ts';
import { listBuckets } from './list-buckets.ts';
import { peek } from './peek.ts';
import { peekSlowmode } from './peek-slowmode.ts';
import { refund } from './refund.ts';
import { reset } from './reset.ts';
import { takeProfileChanges } from './take-profile-changes.ts';
import { takeSlowmode } from './take-slowmode.ts';

export const ratelimitHandlers = (deps: Deps): Handlers<typeof RatelimitServiceDefinition> => ({
  check: check(deps),
  checkMany: checkMany(deps),
  checkStream: checkStream(deps),
  peek: peek(deps),
  refund: refund(deps),
  reset: reset(deps),
  listBuckets: listBuckets(deps),
  explain: explain(deps),
  getStatistics: getStatistics(deps),
  peekSlowmode: peekSlowmode(deps),
  takeSlowmode: takeSlowmode(deps),
  takeProfileChanges: takeProfileChanges(deps),
});

export const ratelimitAdminHandlers = (deps: Deps): Handlers<typeof RatelimitAdminServiceDefinition> => ({
  lookUpIdentity: lookUpIdentity(deps),
  resetIdentity: resetIdentity(deps),
  setOverride: setOverride(deps),
  removeOverride: removeOverride(deps),
  listOverrides: listOverrides(deps),
  listDenied: listDenied(deps),
});
