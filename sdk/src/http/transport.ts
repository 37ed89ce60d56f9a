import type { CallLimits } from '../call-options.ts';
import type { Authorization } from '../credential.ts';
import { ApiError, RateLimitError } from '../errors/api-error.ts';
import { NetworkError, TimeoutError, UnexpectedResponseError } from '../errors/gatehouse-error.ts';
import { denialOf } from '../rate-limits/denial.ts';
import { RateLimitGates } from '../rate-limits/rate-limit-gates.ts';
import { WaitBudget } from '../rate-limits/wait-budget.ts';
import { backOff } from './back-off.ts';
import { membersOf } from './error-members.ts';
import type { Fetch } from './fetch.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';
import { isRepeatable } from './repeatable.ts';
import { sendOnce } from './send-once.ts';
import { sleep, unlessAborted, withDeadline } from './with-deadline.ts';

/** The state of one call. */
interface Progress {
  readonly call: HttpCall;
  readonly limits: CallLimits;
  readonly budget: WaitBudget;
  /** Of the whole call. */
  readonly signal: AbortSignal;
  tries: number;
  renewed: boolean;
}

/** Sends the calls of a client: with its credential, within their limits, and again where that is safe. */
export class Transport {
  readonly #fetch: Fetch;
  readonly #authorization: Authorization;
  readonly #gates = new RateLimitGates();

  constructor(fetch: Fetch, authorization: Authorization) {
    this.#fetch = fetch;
    this.#authorization = authorization;
  }

  /**
   * Returns a successful answer.
   *
   * @throws ApiError, RateLimitError, NetworkError, TimeoutError, UnexpectedResponseError, the signal's reason
   */
  send(call: HttpCall, limits: CallLimits): Promise<HttpAnswer> {
    const { deadlineSeconds } = limits;
    const timeout = () => new TimeoutError(call.operation, 'deadlineSeconds', deadlineSeconds);
    return withDeadline(deadlineSeconds, timeout, limits.signal, async (signal) => {
      const budget = new WaitBudget(limits.maxWaitSeconds * 1000);
      const progress: Progress = { call, limits, budget, signal, tries: 0, renewed: false };
      for (;;) {
        const answer = await this.#try(progress);
        if (answer !== undefined) return answer;
      }
    });
  }

  /** Sends the call once. Returns undefined if it is to be sent again. */
  async #try(progress: Progress): Promise<HttpAnswer | undefined> {
    const { call, budget, signal } = progress;
    const authorization = await unlessAborted(this.#authorization.header(), signal);
    await this.#gates.pass(call, budget, signal);
    progress.tries++;
    const sentAt = performance.now();
    let answer: HttpAnswer;
    try {
      answer = await this.#sendOnce(progress, authorization);
    } catch (error) {
      if (signal.aborted || !isTransient(error) || !isRepeatable(call)) throw error;
      return await this.#waitOrThrow(progress, error);
    }
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status === 429) return await this.#waitForLimit(progress, answer, sentAt);
    const error = errorOf(call, answer);
    if (status === 401 && authorization !== undefined && !progress.renewed) {
      // A 401 has executed nothing. A later call needs the new token too.
      progress.renewed = await unlessAborted(this.#authorization.renew(authorization), signal);
      if (progress.renewed && progress.tries < progress.limits.maxTries) return undefined;
    }
    if (status < 502 || status > 504 || !isRepeatable(call)) throw error;
    return await this.#waitOrThrow(progress, error, answer.headers);
  }

  #sendOnce({ call, limits, signal }: Progress, authorization: string | undefined): Promise<HttpAnswer> {
    const headers = new Headers(call.headers);
    if (authorization !== undefined) headers.set('authorization', authorization);
    const timeout = () => new TimeoutError(call.operation, 'timeoutSeconds', limits.timeoutSeconds);
    return withDeadline(limits.timeoutSeconds, timeout, signal, (tried) =>
      // A `fetch` of the caller's may ignore its signal.
      unlessAborted(sendOnce({ ...call, headers }, this.#fetch, limits.maxAnswerBytes, tried), tried),
    );
  }

  /** Waits before a repetition, or throws if there is no try or no time left. */
  async #waitOrThrow({ budget, limits, tries, signal }: Progress, error: unknown, headers?: Headers) {
    const wait = backOff(tries, headers);
    if (tries >= limits.maxTries || wait > budget.remaining) throw error;
    await sleep(budget.spend(wait), signal);
    return undefined;
  }

  /** A 429 has executed nothing, so a call of any verb is sent again. */
  async #waitForLimit(progress: Progress, answer: HttpAnswer, sentAt: number): Promise<undefined> {
    const { call, budget, limits, tries, signal } = progress;
    const members = membersOf(answer);
    const denial = denialOf(answer, members);
    const isShared = this.#gates.deny(call, denial, sentAt);
    if (tries >= limits.maxTries || denial.retryAfter * 1000 > budget.remaining) {
      const { global, retryAfter } = denial;
      throw new RateLimitError(partsOf(call, answer, members), { global, seconds: retryAfter });
    }
    // The gate waits for a shared bucket, together with the other callers.
    if (!isShared) await sleep(budget.spend(denial.retryAfter * 1000 * (1 + Math.random() / 10)), signal);
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof NetworkError || error instanceof TimeoutError;
}

function errorOf(call: HttpCall, answer: HttpAnswer): Error {
  const { status, headers } = answer;
  if (status >= 400) return new ApiError(partsOf(call, answer, membersOf(answer)));
  const problem = status === 0 || status >= 300 ? 'redirected: check baseUrl' : `status ${status}`;
  return new UnexpectedResponseError(call.operation, status, headers, problem);
}

function partsOf({ operation }: HttpCall, { status, headers }: HttpAnswer, members: Record<string, unknown>) {
  return { operation, status, requestId: headers.get('x-request-id') ?? undefined, members };
}
