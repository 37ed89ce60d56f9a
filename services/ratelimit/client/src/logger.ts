/** A logger; one of pino fits. */
export interface Logger {
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
}

/** Discards everything. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined };
