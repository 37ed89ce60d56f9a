import type { Violation } from '@gatehouse/kit/fault';

/** Where a body stops being JSON, for a body that is no JSON object. */
export function locateSyntaxError(body: Uint8Array): Violation[] {
  return [{ path: 'body', code: 'INVALID_FORMAT', message: problemOf(body) }];
}

function problemOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  if (text.trim() === '') return 'Is empty. It must be a JSON object.';
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? 'Has too many values.' : 'Must be a JSON object: it begins with { and ends with }.';
  } catch (error) {
    return syntaxProblem(text, error instanceof Error ? error.message : '');
  }
}

/** V8's messages name the position, except at the end of the text. */
function syntaxProblem(text: string, message: string): string {
  const position = Number(/ at position (\d+)/.exec(message)?.[1] ?? text.length);
  const before = text.slice(0, position).split('\n');
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const end = position >= text.length ? ' The text ends too early: a quote or a bracket is missing.' : '';
  return `Is no JSON: line ${line}, column ${column}.${end}`;
}
