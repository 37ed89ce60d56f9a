import { textAt } from './untyped.ts';

/** Makes any text storable: NUL is removed, a lone surrogate is replaced. Undefined when nothing is left. */
export function storable(text: string): string | undefined {
  const stored = text.replaceAll('\0', '').toWellFormed();
  return stored.trim() === '' ? undefined : stored;
}

/** `textAt`, made storable. */
export function storableAt(from: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(from, ...path);
  return text === undefined ? undefined : storable(text);
}
