/** What a check found about one thing. */
export interface Finding {
  /** `skipped`: it could not be checked here, and the text says why. */
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  /** The thing, such as "auth's database". */
  readonly subject: string;
  readonly text: string;
  /** The remedy; always with a warning or a problem. */
  readonly advice?: string;
}

/** What a check needs. */
export interface CheckContext {
  readonly env: NodeJS.ProcessEnv;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
}

/** The time for one server or one file to answer. */
export const STEP_TIMEOUT_MS = 4_500;
/** A check that has not ended by then is reported as a problem. */
export const CHECK_TIMEOUT_MS = 5_000;

export function ok(subject: string, text: string): Finding {
  return { status: 'ok', subject, text };
}

export function skipped(subject: string, text: string): Finding {
  return { status: 'skipped', subject, text };
}

export function warning(subject: string, text: string, advice: string): Finding {
  return { status: 'warning', subject, text, advice };
}

export function problem(subject: string, text: string, advice: string): Finding {
  return { status: 'problem', subject, text, advice };
}
