import type { Sendable } from './sendable.ts';

export type ParameterValues = Readonly<Record<string, string>>;

/** The required parameters without a usable value: browsers resolve `.` and `..` in a path. */
export function missingParameters({ parameters }: Sendable, values: ParameterValues): string[] {
  return parameters
    .filter(({ name, is_required }) => is_required && /^\s*\.{0,2}\s*$/.test(values[name] ?? ''))
    .map(({ name }) => name);
}

/** The address of a request, from the root of the site. Empty parameters of the query are left out. */
export function prepareAddress({ path, parameters }: Sendable, values: ParameterValues): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]?.trim() ?? ''),
  );
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[name]?.trim();
    if (place === 'query' && value) query.set(name, value);
  }
  return `/api/v1${filled}${query.size > 0 ? `?${query}` : ''}`;
}
