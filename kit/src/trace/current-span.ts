import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../fault.ts';
import type { Attributes, Span, SpanKind } from './span.ts';

/** Set for sampled requests only. Others cost one look-up. */
const storage = new AsyncLocalStorage<Span | undefined>();

/** The current span; undefined if the request is not sampled, or has been answered. */
export function currentSpan(): Span | undefined {
  const span = storage.getStore();
  return span?.isOpen() === true ? span : undefined;
}

/** Runs a function with a current span, or with none. */
export function withSpan<T>(span: Span | undefined, run: () => T): T {
  return span === storage.getStore() ? run() : storage.run(span, run);
}

/** Returns the callback, bound to the span that is current now. */
export function bindToCurrentSpan<A extends unknown[]>(callback: (...args: A) => void): (...args: A) => void {
  const span = storage.getStore();
  return (...args) => withSpan(span, () => callback(...args));
}

/** Runs work in a child of the current span, if there is one. */
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

/** The type of an error, without any of its text. */
export function errorType(error: unknown): string {
  if (error instanceof Fault) return error.reason;
  return error instanceof Error ? error.name : typeof error;
}
