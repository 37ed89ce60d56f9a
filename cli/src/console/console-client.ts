import { CommandFailure, ExitCode } from '../failures.ts';
import { parseJson } from '../json/members.ts';
import { printable } from '../output/printable.ts';
import { reasonOf } from '../output/reason-of.ts';
import type { Runtime } from '../runtime.ts';
import { answerFailure } from './answer-failure.ts';
import { type ConsoleTarget, consoleTarget } from './console-target.ts';

const REQUEST_TIMEOUT_MS = 15_000;

/** Values of a query; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Calls the console's API as an operator (docs/operators.md). */
export class ConsoleClient {
  readonly #target: ConsoleTarget;
  readonly #signal: AbortSignal;
  readonly #timeout_ms: number;

  /** @throws CommandFailure if no console or no token is known */
  constructor({ env, signal }: Pick<Runtime, 'env' | 'signal'>, timeout_ms = REQUEST_TIMEOUT_MS) {
    this.#target = consoleTarget(env);
    this.#signal = signal;
    this.#timeout_ms = timeout_ms;
  }

  /** @param path below /api, with its values encoded */
  get(path: string, query: Query = {}): Promise<unknown> {
    const values = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) values.set(name, String(value));
    return this.#send('GET', values.size === 0 ? path : `${path}?${values}`);
  }

  /** Makes a change. It is never sent twice. */
  change(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: object): Promise<unknown> {
    return this.#send(method, path, body);
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const { url, token } = this.#target;
    const { status, text } = await this.#fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const answer = parseJson(text);
    if (status >= 200 && status < 300 && (answer !== undefined || text === '')) return answer;
    throw answerFailure({ status, answer, request: `${method} ${url}/api${path}` });
  }

  async #fetch(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
    const timeout = AbortSignal.timeout(this.#timeout_ms);
    try {
      const answer = await fetch(url, { ...request, signal: AbortSignal.any([timeout, this.#signal]) });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      throw this.#signal.aborted ? error : this.#unanswered(timeout.aborted, error, request.method);
    }
  }

  #unanswered(isTimeout: boolean, error: unknown, method = 'GET'): CommandFailure {
    const { url, named_by } = this.#target;
    const why = isTimeout ? `no answer within ${this.#timeout_ms / 1000} s` : printable(reasonOf(error));
    const outcome =
      method === 'GET' || !(isTimeout || isBroken(error))
        ? ''
        : ' The change may have been made: look before you repeat it.';
    return new CommandFailure(
      ExitCode.UNANSWERED,
      `${url}: The console does not answer: ${why}.${outcome}\nStart it, or name another with ${named_by}.`,
    );
  }
}

/** Whether the connection broke after it was open, maybe with the request on its way. */
function isBroken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}
