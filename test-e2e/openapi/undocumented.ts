import { componentName, DOCUMENT, type Response, resolve } from './document.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The paths with the fewest parameters first, because `@me` is no ID. */
const PATHS = Object.keys(DOCUMENT.paths)
  .toSorted((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/**
 * Whether openapi.json has the status of an answer and, of an error, its code.
 *
 * @returns what it does not have; undefined if it has all, or if the request is for no route
 */
export function undocumented(method: string, target: string, { status, text }: Answer): string | undefined {
  const { path = '' } = PATHS.find(({ pattern }) => pattern.test(target.replace(/[?#].*/s, ''))) ?? {};
  const operation = DOCUMENT.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) return undefined;
  const response = operation.responses[status];
  if (response === undefined) return `openapi.json has no ${status} of ${method} ${path}`;
  if (status < 400 || text === '') return undefined;
  const { code } = JSON.parse(text) as { code: string };
  if (codesOf(response).includes(code)) return undefined;
  return `openapi.json has no ${status} ${code} of ${method} ${path}`;
}

/** The codes of errors in a response. */
function codesOf({ $ref, content }: Response): string[] {
  if ($ref !== undefined) return codesOf(DOCUMENT.components.responses[componentName($ref)] ?? {});
  const { oneOf, ...only } = content?.['application/json']?.schema ?? {};
  return (oneOf ?? [only]).map((schema) => String(resolve(schema).properties?.code?.const));
}
