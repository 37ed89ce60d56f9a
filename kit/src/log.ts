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
const REDACTED = SECRETS.flatMap((name) => ['', '*', '*.*'].map((prefix) => `${prefix}["${name}"]`));

/** A JSON-lines logger, to standard output unless told otherwise. */
export function createLogger({ name, level = 'info', destination }: LogOptions): Logger {
  const options = {
    level,
    base: { name },
    timestamp: () => `,"time":${Date.now()}`,
    serializers: { err: errorMembers },
    redact: { paths: REDACTED, censor: '[redacted]' },
  };
  return pino(options, destination ?? standardOutput());
}

/** The members of an error that describe it. Others may contain what a client or the database sent. */
function errorMembers(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: error };
  const { type, message, stack } = stdSerializers.err(error);
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return { type, message, stack, error_code: code, constraint };
}

/** Writes nothing. For tests that do not read logs. */
export const silentLogger: Logger = pino({ level: 'silent' });
