import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { standardOutput } from './log-output.ts';

export type { Logger } from 'pino';

export interface LogOptions {
  /** The process's name, such as "auth". */
  readonly name: string;
  /** Default: "info". */
  readonly level?: string;
  readonly destination?: DestinationStream;
}

/**
 * Members that may hold a credential. They must not be logged at all; this is the safety net
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

/** Creates a JSON-lines logger. The default destination is standard output. */
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

/** The descriptive members of an error. Others may contain data of a client or the database. */
function errorMembers(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: error };
  const { type, message, stack } = stdSerializers.err(error);
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return { type, message, stack, error_code: code, constraint };
}

/** Discards everything. For tests that do not read logs. */
export const silentLogger: Logger = pino({ level: 'silent' });
