/** How long a call may take, and how often it may be sent. */
export interface CallOptions {
  /** Seconds for the whole call, with its waits and repetitions; 60 by default. */
  readonly deadlineSeconds?: number | undefined;
  /** Seconds for one try; 15 by default. */
  readonly timeoutSeconds?: number | undefined;
  /** Seconds that the call may wait in all, for rate limits and before repetitions; 30 by default. 0: it never waits. */
  readonly maxWaitSeconds?: number | undefined;
  /** How often the request may be sent; 4 by default. 1: it is never repeated. */
  readonly maxTries?: number | undefined;
  /** The longest answer that is read; 32 MiB by default. */
  readonly maxAnswerBytes?: number | undefined;
  /** Ends the call, with the signal's reason as the error. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a call with the defaults filled in. */
export interface CallLimits {
  readonly deadlineSeconds: number;
  readonly timeoutSeconds: number;
  readonly maxWaitSeconds: number;
  readonly maxTries: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

const DEFAULTS: CallLimits = {
  deadlineSeconds: 60,
  timeoutSeconds: 15,
  maxWaitSeconds: 30,
  maxTries: 4,
  maxAnswerBytes: 32 * 1024 * 1024,
  signal: undefined,
};

/** setTimeout can wait a little more than twice as long. */
const MAX_SECONDS = 1_000_000;

/** Later options win. @throws RangeError */
export function callLimits(...options: readonly CallOptions[]): CallLimits {
  const pick = <K extends keyof CallLimits>(name: K): CallLimits[K] => {
    const given = options.map((one) => one[name]).findLast((value) => value !== undefined);
    return (given as CallLimits[K] | undefined) ?? DEFAULTS[name];
  };
  return {
    deadlineSeconds: inRange('deadlineSeconds', pick('deadlineSeconds'), 0.001, MAX_SECONDS),
    timeoutSeconds: inRange('timeoutSeconds', pick('timeoutSeconds'), 0.001, MAX_SECONDS),
    maxWaitSeconds: inRange('maxWaitSeconds', pick('maxWaitSeconds'), 0, MAX_SECONDS),
    maxTries: inRange('maxTries', pick('maxTries'), 1, 1_000),
    maxAnswerBytes: inRange('maxAnswerBytes', pick('maxAnswerBytes'), 1, Number.MAX_SAFE_INTEGER),
    signal: pick('signal'),
  };
}

function inRange(name: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw new RangeError(`${name} is ${value}: it must be a number from ${min} to ${max}`);
}
