import type { Action } from '@gatehouse/proto/console';
import type { ActionRow } from '../store/actions.ts';

/** A line of the log in ConsoleService: before, after and detail are JSON, empty if there is none. */
export function actionView(row: ActionRow): Action {
  const { id, operator, role, ip, action, target, reason, outcome } = row;
  return {
    id,
    at_ms: row.at.getTime(),
    operator,
    role,
    ip,
    action,
    target,
    reason,
    outcome,
    before: text(row.before),
    after: text(row.after),
    detail: text(row.detail),
  };
}

/** The same in the console's API: before, after and detail are objects. */
export function actionJson(row: ActionRow): object {
  const { at, ended_at, ...line } = row;
  return { ...line, at_ms: at.getTime(), ended_at_ms: ended_at?.getTime() ?? null };
}

function text(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
