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
 * (docs/conventions.md#no-secrets-in-logs).
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

/** Writes one line of level info; `what` as `lineMembers` makes it. */
export type LineWriter = (requestId: string, what: string, status: number, ms: number) => void;

/** What is the same in many lines, as JSON. */
export function lineMembers(members: Readonly<Record<string, string>>): string {
  return JSON.stringify(members).replace(/^\{/, ',').replace(/\}$/, '');
}

/**
 * Makes the function that writes the one line a request, or the one line an RPC, as pino would write it. It
 * does not search the members for secrets, which the code that calls it has fixed, and is a tenth of the
 * cost.
 */
export function lineWriter(log: Logger, message: string): LineWriter {
  const target = targets.get(log);
  if (target === undefined)
    return (request_id, what, status, ms) =>
      log.info({ request_id, ...JSON.parse(`{${what.slice(1)}}`), status, ms }, message);

  const { name, sink } = target;
  const end = `,"msg":${JSON.stringify(message)}}\n`;
  let now = 0;
  let start = ''; // of all lines of one millisecond
  return (requestId, what, status, ms) => {
    if (!log.isLevelEnabled('info')) return;
    if (now !== Date.now()) {
      now = Date.now();
      start = `{"level":${INFO},"time":${now},"name":${name},"request_id":`;
    }
    sink.write(
      `${start}${quoted(requestId)}${what},"status":${status},"ms":${Math.round(ms * 1000) / 1000}${end}`,
    );
  };
}

function quoted(text: string): string {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Says nothing; for tests that do not read logs. */
export const silentLogger: Logger = pino({ level: 'silent' });
