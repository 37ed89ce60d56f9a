/** An answer to show. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Indented, if it is JSON. */
  readonly body: string;
  /** Undefined unless it is an error of the API. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** The messages of an error's entries, by path. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The headers that the API lets pages read. */
const HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset-After',
  'X-RateLimit-Bucket',
  'X-RateLimit-Scope',
  'Retry-After',
  'X-Request-Id',
];

/** Longer bodies are cut off: they would make the page slow. */
const MAX_SHOWN = 50_000;

export function readAnswer(response: Pick<Response, 'status' | 'headers'>, text: string): Answer {
  const json = parse(text);
  const { code, message, errors } = (json ?? {}) as Readonly<Record<string, unknown>>;
  const isError = response.status >= 400 && typeof code === 'string' && typeof message === 'string';
  return {
    status: response.status,
    headers: HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: cut(json === undefined ? text : JSON.stringify(json, null, 2)),
    error: isError ? { code, message } : undefined,
    problems: isError && Array.isArray(errors) ? problemsOf(errors) : {},
  };
}

function problemsOf(entries: readonly unknown[]): Record<string, string> {
  const found = entries.map((entry) => (entry ?? {}) as { path?: unknown; message?: unknown });
  return Object.fromEntries(found.map(({ path, message }) => [String(path), String(message)]));
}

function cut(text: string): string {
  return text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)}\n… (${text.length} characters in all)`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // empty, or an answer of a proxy
  }
}
