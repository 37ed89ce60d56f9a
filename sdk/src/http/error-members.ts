import type { HttpAnswer } from './http-call.ts';

/** The members of an error's body. Empty if it is no JSON object, such as the HTML page of a proxy. */
export function membersOf({ bytes }: HttpAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
