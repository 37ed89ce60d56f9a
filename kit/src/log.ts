import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { standardOutput } from './log-output.ts';

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
const SECRETS = [
  'token',
  'access_token',
  'refresh_token',
  'password',
  'new_password',
  'authorization',
  'cookie',
  'set-cookie',
  'secret',
  'client_secret',
  'ticket',
  'code',
  'code_verifier',
];
const REDACTED = SECRETS.flatMap((name) => ['', '*', '*.*'].map((within) => `${within}["${name}"]`));

/** A JSON-lines logger, to standard output unless told otherwise. */
export function createLogger({ name, level = 'info', destination }: LogOptions): Logger {
  const sink = destination ?? standardOutput();
  const shape = {
    level,
    base: { name },
    timestamp: () => `,"time":${Date.now()}`,
    serializers: { err: errorMembers },
  };
  const logger = pino({ ...shape, redact: { paths: REDACTED, censor: '[redacted]' } }, sink);
  targets.set(logger, { name: JSON.stringify(name), sink });
  return logger;
}

/** Of an error, what describes it: further members may hold what a client or the database said. */
function errorMembers(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: error };
  const { type, message, stack } = stdSerializers.err(error);
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return { type, message, stack, error_code: code, constraint };
}

const INFO = 30;
const targets = new WeakMap<Logger, { readonly name: string; readonly sink: DestinationStream }>();

/**
 * Makes the function that writes a line of level info whose members are fixed by the code that calls it,
 * as pino would write it. It does not search them for secrets and is a fifth of the cost: for the one
 * line a request and the one line an RPC.
 */
export function lineWriter(
  log: Logger,
  message: string,
): (members: Readonly<Record<string, string | number>>) => void {
  const target = targets.get(log);
  if (target === undefined) return (members) => log.info(members, message);
  const { name, sink } = target;
  const end = `,"msg":${JSON.stringify(message)}}\n`;
  let now = 0;
  let start = ''; // of all lines of one millisecond
  return (members) => {
    if (!log.isLevelEnabled('info')) return;
    if (now !== Date.now()) {
      now = Date.now();
      start = `{"level":${INFO},"time":${now},"name":${name}`;
    }
    let line = start;
    for (const member in members) {
      const value = members[member];
      line += `,"${member}":${typeof value === 'number' ? value : JSON.stringify(value)}`;
    }
    sink.write(line + end);
  };
}

/** Says nothing; for tests that do not read logs. */
export const silentLogger: Logger = pino({ level: 'silent' });
