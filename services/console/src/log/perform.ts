import { databaseFault } from '@gatehouse/kit/db/errors';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Deps } from '../deps.ts';
import { unsettled } from '../errors.ts';
import { completeAction, insertAction } from '../store/actions.ts';
import type { Actor } from './actor.ts';

/** What the log says of an action before it begins. */
export interface ActionLine {
  /** Such as "account.suspend". */
  readonly action: string;
  /** Such as "account:123". */
  readonly target: string;
  readonly reason: string;
}

/** What an action did, for its operator and for the log. */
export interface ActionResult<Answer extends object = object> {
  /** For the operator. It may have a link or a token, which the log does not have. */
  readonly answer: Answer;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Further details for the log. */
  readonly detail?: unknown;
}

/**
 * Runs an action with its line in the operators' log: written before it begins, and completed with its outcome. A line
 * of a process that was killed on the way stays "started". Without an answer that says no, the outcome is unknown: the
 * service may still act, or has acted.
 */
export async function perform<Answer extends object>(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  actor: Actor,
  line: ActionLine,
  run: () => Promise<ActionResult<Answer>>,
): Promise<Answer> {
  const id = await insertAction(db, { operator: actor.name, role: actor.role, ip: actor.ip, ...line });
  const complete = (end: Parameters<typeof completeAction>[2]): Promise<void> =>
    completeAction(db, id, end).catch((error: unknown) =>
      log.error({ err: error, action: id }, 'the line of an action could not be completed'),
    );
  try {
    const { answer, before, after, detail } = await run();
    await complete({ outcome: 'done', before, after, detail });
    return answer;
  } catch (error) {
    await complete({ outcome: `${isNo(error) ? 'failed' : 'unknown'}: ${reasonOf(error)}` });
    throw isTimeout(error) ? unsettled(error) : error;
  }
}

/** Whether the error is an answer: the action was refused, and has changed nothing. */
function isNo(error: unknown): boolean {
  return error instanceof Fault && !UNKNOWN.has(error.status);
}

const UNKNOWN: ReadonlySet<Status> = new Set([
  Status.CANCELLED,
  Status.UNKNOWN,
  Status.DEADLINE_EXCEEDED,
  Status.INTERNAL,
  Status.UNAVAILABLE,
  Status.DATA_LOSS,
]);

function isTimeout(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.DEADLINE_EXCEEDED;
}

function reasonOf(thrown: unknown): string {
  const error = databaseFault(thrown) ?? thrown;
  return error instanceof Fault ? `${error.reason}: ${error.message}` : 'INTERNAL_SERVER_ERROR';
}
