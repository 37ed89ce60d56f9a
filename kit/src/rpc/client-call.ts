import type { Caller } from '@gatehouse/proto/kit/calls';
import { cancelled, deadlineExceeded, Fault, internal } from '../fault.ts';
import type { RpcMetrics } from '../metrics/rpc-metrics.ts';
import { clientSpan, endClientSpan } from '../trace/rpc-spans.ts';
import type { Span } from '../trace/span.ts';
import { anonymous } from './call.ts';
import type { CallOptions } from './call-options.ts';
import type { MethodDefinition } from './definition.ts';
import type { Link } from './link.ts';
import { maxAttempts } from './max-attempts.ts';
import type { Replicas } from './replicas.ts';
import { Unreachable } from './unreachable.ts';

/** A unary method, and the replicas that serve it. */
export interface CallableMethod {
  readonly replicas: Replicas;
  readonly path: string;
  readonly method: MethodDefinition;
  readonly metrics: RpcMetrics | undefined;
}

/** A unary call on the client, with its attempts. It ends with one call of `resolve` or `reject`. */
export class ClientCall {
  readonly #callable: CallableMethod;
  readonly #request: unknown;
  readonly #options: CallOptions;
  readonly #caller: Caller;
  readonly #requestId: string;
  readonly #left_ms: number;
  readonly #due_ms: number;
  readonly #span: Span | undefined;
  readonly #succeed: (response: unknown) => void;
  readonly #reject: (fault: Fault) => void;
  #attempts = 0;

  constructor(
    callable: CallableMethod,
    request: unknown,
    options: CallOptions,
    resolve: (response: unknown) => void,
    reject: (fault: Fault) => void,
  ) {
    const { parent } = options;
    this.#callable = callable;
    this.#request = request;
    this.#options = options;
    this.#caller = options.caller ?? parent?.caller ?? anonymous;
    this.#requestId = options.requestId ?? parent?.requestId ?? '';
    this.#left_ms = timeLeft(options);
    this.#due_ms = performance.now() + this.#left_ms;
    const span = clientSpan(callable.path);
    this.#span = span;
    this.#succeed =
      span === undefined
        ? resolve
        : (response) => {
            endClientSpan(span);
            resolve(response);
          };
    this.#reject = reject;
  }

  begin(): void {
    this.#attempt(this.#callable.replicas.pick(), this.#left_ms);
  }

  #attempt(link: Link, left_ms: number): void {
    const { path, method } = this.#callable;
    const { encoded, signal } = this.#options;
    this.#attempts++;
    const timeoutMs = Math.ceil(left_ms);
    if (!(timeoutMs > 0)) this.#fail(deadlineExceeded());
    else if (signal?.aborted === true) this.#fail(cancelled());
    else
      link.call({
        path,
        method,
        request: this.#request,
        encoded,
        timeoutMs,
        due_ms: this.#due_ms,
        caller: this.#caller,
        requestId: this.#requestId,
        traceparent: this.#span?.traceparent ?? '',
        signal,
        succeed: this.#succeed,
        fail: (error) => this.#repeatOrFail(link, error),
      });
  }

  /** Tries another replica if that may help, after all calls on the lost one have failed. */
  #repeatOrFail(lost: Link, error: Error): void {
    const { replicas, method } = this.#callable;
    if (error instanceof Unreachable && this.#attempts < maxAttempts(error, method, replicas))
      queueMicrotask(() => this.#attempt(replicas.pick(lost), this.#due_ms - performance.now()));
    else this.#fail(error instanceof Fault ? error : internal(error));
  }

  #fail(fault: Fault): void {
    const { path, metrics } = this.#callable;
    if (this.#span !== undefined) endClientSpan(this.#span, fault);
    metrics?.countFailed(path, fault.status);
    this.#reject(fault);
  }
}

/** Milliseconds until the deadline. */
function timeLeft({ timeoutMs, parent }: CallOptions): number {
  const left_ms = parent === undefined ? timeoutMs : Math.min(timeoutMs, parent.due_ms - performance.now());
  return Math.min(left_ms, MAX_TIMEOUT_MS);
}

/** A day, which both gRPC and Node's timers can represent. */
const MAX_TIMEOUT_MS = 86_400_000;
