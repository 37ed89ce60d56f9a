import type { Json } from './document.ts';

/** IDs, codes of six digits, and tokens of 32 bytes. The example of a real value is one that nobody has. */
const PLACEHOLDER = /^(?:[1-9][0-9]{3,18}|[0-9]{6}|[A-Za-z0-9_-]{43})$/;

/**
 * The example with real values in the place of its placeholders, and no other change.
 *
 * @throws if `real` has a member that the example has not, or replaces a value that is no placeholder
 */
export function fillExample(
  example: Json | undefined,
  real: Json | undefined,
  place: string,
): Json | undefined {
  if (real === undefined) return example;
  if (isReplaceable(example)) return real;
  if (Array.isArray(example) && Array.isArray(real) && example.length === real.length)
    return example.map((item, index) => fillExample(item, real[index], `${place}.${index}`) ?? null);
  if (isObject(example) && isObject(real)) {
    const filled = Object.entries(real).map(([name, value]) => [
      name,
      fillExample(example[name], value, `${place}.${name}`),
    ]);
    return { ...example, ...Object.fromEntries(filled) };
  }
  throw new Error(`${place}: the example has ${JSON.stringify(example)}, which is no placeholder`);
}

/** A placeholder, or the response of an authenticator, which signs a challenge that the server has just made. */
function isReplaceable(example: Json | undefined): boolean {
  if (typeof example === 'string') return PLACEHOLDER.test(example);
  return isObject(example) && example.type === 'public-key';
}

function isObject(value: Json | undefined): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
