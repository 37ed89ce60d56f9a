import { Fault, isOutage, Status } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { CallOptions } from '@gatehouse/kit/rpc';
import { serviceAway } from '../errors.ts';

/** A page waits no longer for a service. */
export const READ_TIMEOUT: CallOptions = { timeoutMs: 3_000 };

type Parts = Readonly<Record<string, () => Promise<object | undefined>>>;

/** What the parts answered; those whose service is away are named. */
export type Gathered<P extends Parts> = {
  readonly found: { readonly [K in keyof P]?: Awaited<ReturnType<P[K]>> | undefined };
  readonly unavailable: string[];
};

/** Asks several services at once. One that is away takes nothing from the others. Any other error is thrown. */
export async function gather<const P extends Parts>(parts: P, log: Logger): Promise<Gathered<P>> {
  const unavailable: string[] = [];
  const entries = await Promise.all(
    Object.entries(parts).map(async ([name, ask]) => {
      try {
        return [name, await ask()] as const;
      } catch (error) {
        if (!isAway(error)) throw error;
        log[isOutage(error) ? 'debug' : 'warn'](
          { err: error, part: name },
          'a part of a page is not available',
        );
        unavailable.push(name);
        return [name, undefined] as const;
      }
    }),
  );
  // The keys are those of `parts`, each with its own answer.
  return { found: Object.fromEntries(entries) as Gathered<P>['found'], unavailable: unavailable.toSorted() };
}

/** The answer of the only service that knows. @throws SERVICE_UNAVAILABLE that names it, if it is away */
export async function askOne<T>(service: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw isAway(error) ? serviceAway(service, error) : error;
  }
}

/** Undefined for what does not exist. */
export async function orNothing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Fault && error.status === Status.NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Whether a service gave no answer: it is down, too slow, fails, or is of a version that does not have this call yet. An
 * answer is what the request itself causes.
 */
function isAway(error: unknown): boolean {
  return !(error instanceof Fault && ANSWERS.has(error.status));
}

const ANSWERS: ReadonlySet<Status> = new Set([
  Status.NOT_FOUND,
  Status.INVALID_ARGUMENT,
  Status.FAILED_PRECONDITION,
  Status.OUT_OF_RANGE,
  Status.RESOURCE_EXHAUSTED,
]);
