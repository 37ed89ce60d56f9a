import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../fault.ts';
import type { Attributes, Span, SpanKind } from './span.ts';

/** Entered for requests that are sampled only. All others pay for one look at it. */
const storage = new AsyncLocalStorage<Span | undefined>();

/** The span that the running code belongs to; undefined: its request is not sampled, or has been answered. */
export function currentSpan(): Span | undefined {
  const span = storage.getStore();
  return span?.isOpen() === true ? span : undefined;
}

/** Runs something as a part of a span, or of none. */
export function withSpan<T>(span: Span | undefined, run: () => T): T {
  return span === storage.getStore() ? run() : storage.run(span, run);
}

/** A callback that belongs to the span of now, whoever calls it. */
export function inSpanOfNow<A extends unknown[]>(callback: (...args: A) => void): (...args: A) => void {
  const span = storage.getStore();
  return (...args) => withSpan(span, () => callback(...args));
}

/** Does work as a span below the current one, if there is one. */
export async function traced<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = currentSpan()?.child(name, kind, attributes);
  if (span === undefined) return work();
  try {
    return await withSpan(span, work);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** What kind of error it is, without anything of its text. */
export function errorType(error: unknown): string {
  if (error instanceof Fault) return error.reason;
  return error instanceof Error ? error.name : typeof error;
}
