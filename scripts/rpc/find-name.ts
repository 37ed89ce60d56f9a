import type { Contracts, Method } from './contracts.ts';
import { UsageError } from './usage-error.ts';

export interface FoundMethod {
  /** Its full name. */
  readonly service: string;
  readonly rpc: string;
  readonly method: Method;
}

/** The method with this name, SERVICE/METHOD. @throws UsageError with the nearest name where there is none */
export function findMethod({ services }: Contracts, name: string): FoundMethod {
  const [serviceName = '', rpc, ...more] = name.split('/');
  if (rpc === undefined || more.length > 0)
    throw new UsageError(`${name} is no method: write SERVICE/METHOD, such as auth.v1.AuthService/Identify.`);
  const service = findName([...services.keys()], serviceName, 'service');
  const methods = services.get(service) ?? new Map<string, Method>();
  const method = methods.get(rpc);
  if (method === undefined)
    throw new UsageError(`${service} has no method ${rpc}.${suggestion(rpc, methods.keys())}`);
  return { service, rpc, method };
}

/** The full name that this one is, or that it is the end of. @throws UsageError with the nearest where there is none */
export function findName(names: readonly string[], name: string, what: string): string {
  if (names.includes(name)) return name;
  const matches = names.filter((full) => full.endsWith(`.${name}`));
  const [match, ...others] = matches;
  if (match === undefined) throw new UsageError(`There is no ${what} ${name}.${suggestion(name, names)}`);
  if (others.length > 0) throw new UsageError(`${name} may be ${matches.join(' or ')}.`);
  return match;
}

/** " Did you mean …?", or nothing where no name is near. */
export function suggestion(name: string, names: Iterable<string>): string {
  const near = [...names]
    .flatMap((full) => endings(full))
    .map((ending) => ({ ending, distance: distance(name.toLowerCase(), ending.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= Math.max(2, name.length / 3))
    .sort((one, other) => one.distance - other.distance);
  return near[0] === undefined ? '' : ` Did you mean ${near[0].ending}?`;
}

/** "a.v1.B" → "a.v1.B", "v1.B", "B" */
function endings(full: string): string[] {
  const parts = full.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}

/** How many letters must be added, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
