import { unavailable } from '@gatehouse/kit/fault';
import type { Deps } from '../deps.ts';
import { isOutdatedCheck } from '../errors.ts';
import { raiseExecutionFence } from '../store/execution-fence.ts';

/** Fences that may be raised during one request. */
const MAX_ATTEMPTS = 8;

/**
 * Checks a webhook's credential, and runs a request at chat with the result. If webhooks of the guild were refused after
 * the check, chat does nothing: the credential is checked again, and the request runs once more
 * (docs/webhooks.md#disabled-webhooks).
 *
 * @param check returns the fence among others; throws if the credential is refused
 * @param run passes the fence on to chat
 * @throws SERVICE_UNAVAILABLE if the fence is raised again and again; the errors of `check` and `run`
 */
export async function withCurrentCheck<Checked, R>(
  { db }: Pick<Deps, 'db'>,
  check: () => Promise<Checked>,
  run: (checked: Checked) => Promise<R>,
): Promise<R> {
  let outdated: unknown;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const checked = await check();
    try {
      return await run(checked);
    } catch (error) {
      if (!isOutdatedCheck(error)) throw error;
      outdated = error;
      await raiseExecutionFence(db, Number(error.members.fence));
    }
  }
  throw unavailable(outdated);
}
