import { GatehouseError } from './gatehouse-error.ts';

/** One failure of a request's form. */
export interface Violation {
  /** Members joined by dots, such as `embeds.0.title`; `root` or `body` for the body as a whole. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** The parts of an error answer. */
export interface ErrorAnswer {
  /** Verb and path of the operation, such as `GET /guilds/{guild_id}`. */
  readonly operation: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** The members of the body; empty if it is no error of the API. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** The API refused the request. */
export class ApiError extends GatehouseError {
  override readonly name: string = 'ApiError';
  readonly operation: string;
  readonly status: number;
  /** The public name of the error, such as `UNKNOWN_MESSAGE`; `HTTP_502` and the like if a proxy answered. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** Every failure of the request's form, in the order of the answer. */
  readonly errors: readonly Violation[];
  /** The first failure at each path: `error.violations['embeds.0.title']`. */
  readonly violations: Readonly<Record<string, Violation | undefined>>;
  readonly #members: Readonly<Record<string, unknown>>;

  constructor({ operation, status, requestId, members }: ErrorAnswer) {
    const code = textOf(members.code) ?? `HTTP_${status}`;
    const errors = violationsIn(members.errors);
    super(`${operation}: ${status} ${code}${detailOf(members, errors)}`);
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.errors = errors;
    this.violations = firstByPath(errors);
    this.#members = members;
  }

  /** All members of the body, such as `ticket` of IP_AUTHORIZATION_REQUIRED. A log of the error does not show them. */
  get members(): Readonly<Record<string, unknown>> {
    return this.#members;
  }

  /** The scope that the access token lacks (MISSING_OAUTH_SCOPE). */
  get requiredScope(): string | undefined {
    return textOf(this.#members.required_scope);
  }

  /** Seconds until the request may be repeated (RATE_LIMITED, SLOWMODE_RATE_LIMITED). */
  get retryAfter(): number | undefined {
    const { retry_after } = this.#members;
    return typeof retry_after === 'number' && retry_after >= 0 ? retry_after : undefined;
  }
}

/** A rate limit denied the request, and the wait is longer than the call may wait. Nothing was executed. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  /** Whether the denial is that of the global bucket. */
  readonly global: boolean;
  readonly #retryAfter: number;

  constructor(answer: ErrorAnswer, wait: { readonly global: boolean; readonly seconds: number }) {
    super(answer);
    this.global = wait.global;
    this.#retryAfter = wait.seconds;
  }

  override get retryAfter(): number {
    return this.#retryAfter;
  }
}

function detailOf(members: ErrorAnswer['members'], errors: readonly Violation[]): string {
  const text = textOf(members.message);
  const places = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return [text, places].map((part) => (part ? ` ${part}` : '')).join('');
}

function violationsIn(value: unknown): readonly Violation[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: Partial<Violation> | null) => {
    const path = textOf(entry?.path);
    if (path === undefined) return [];
    return { path, code: textOf(entry?.code) ?? '', message: textOf(entry?.message) ?? '' };
  });
}

function firstByPath(errors: readonly Violation[]): Record<string, Violation> {
  // Without a prototype, so that no path finds a member of Object.
  const byPath: Record<string, Violation> = Object.create(null);
  for (const violation of errors) byPath[violation.path] ??= violation;
  return byPath;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
