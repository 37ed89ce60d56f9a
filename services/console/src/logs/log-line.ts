/** A line of a log, as pino writes it. */
export interface LogLine {
  readonly service: string;
  /** Milliseconds since the Unix epoch. */
  readonly at_ms: number;
  /** Such as "info". */
  readonly level: string;
  readonly message: string;
  /** The whole line. */
  readonly json: string;
}

const LEVELS: ReadonlyMap<unknown, string> = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);

export type Members = Readonly<Record<string, unknown>>;

/** The members of a line; undefined if it is no JSON object, such as the output of a crash. */
export function membersOf(json: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}

export function logLine(json: string, { name, time, level, msg }: Members): LogLine {
  return {
    service: typeof name === 'string' ? name : '',
    at_ms: typeof time === 'number' ? time : 0,
    level: LEVELS.get(level) ?? String(level),
    message: typeof msg === 'string' ? msg : '',
    json,
  };
}
