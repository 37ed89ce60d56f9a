import { type DestinationStream, destination as fileDestination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  /** The process, such as "auth". */
  readonly name: string;
  /** "info" unless given. */
  readonly level?: string;
  readonly destination?: DestinationStream;
}

/**
 * Members that may hold a credential. The rule is not to log them at all; this is the net below
 * (contract 4, section 1).
 */
const SECRETS = ['token', 'password', 'authorization', 'cookie', 'secret', 'client_secret', 'ticket', 'code'];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`]);

/** A JSON-lines logger, to standard output unless told otherwise, written in the background. */
export function createLogger({ name, level = 'info', destination }: LogOptions): Logger {
  const sink = destination ?? fileDestination({ fd: 1, sync: false, minLength: 4096 });
  const logger = pino(
    {
      level,
      base: { name },
      timestamp: () => `,"time":${Date.now()}`,
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    sink,
  );
  if (destination === undefined) flushEverySecond(logger);
  return logger;
}

/** Says nothing; for tests that do not read logs. */
export const silentLogger: Logger = pino({ level: 'silent' });

/** Lines below the buffer's length would wait for the next one; nobody should wait for a log. */
function flushEverySecond(logger: Logger): void {
  setInterval(() => logger.flush(), 1000).unref();
}
