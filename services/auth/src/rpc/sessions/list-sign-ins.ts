import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListSignInsRequest, ListSignInsResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { SIGN_IN_KINDS, signInViews } from '../../sessions/sign-in-view.ts';
import { findSecurityEvents } from '../../store/events/security-events.ts';

const LIMIT = { fallback: 50, max: 100 };

export function listSignIns({ db }: Deps): Handler<ListSignInsRequest, ListSignInsResponse> {
  return async ({ before, limit }, { caller }) => {
    const { account_id, session_id } = requireSession(caller);
    const events = await findSecurityEvents(db, {
      account_id,
      kinds: SIGN_IN_KINDS,
      since: null,
      after: null,
      before: before ?? null,
      order: 'newest first',
      limit: readPageLimit(limit),
    });
    return { sign_ins: await signInViews(events, session_id) };
  };
}

/** @throws INVALID_FORM_BODY */
function readPageLimit(limit: number | null | undefined): number {
  const count = limit ?? LIMIT.fallback;
  const form = new Form();
  if (count < 1 || count > LIMIT.max)
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${LIMIT.max}.`);
  form.check();
  return count;
}
