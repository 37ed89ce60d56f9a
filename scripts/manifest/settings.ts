import { declaredSettings, type Setting } from '@gatehouse/kit/env';
import type { ServiceName } from '@gatehouse/proto/services';
import { PROCESSES } from '@gatehouse/stack/processes';

/** The settings that a service's config.ts declares, in their order. */
export function settingsOf(name: ServiceName): readonly Setting[] {
  const row = PROCESSES.find((process) => process.name === name);
  return row === undefined ? [] : once(declaredSettings(row.readConfig));
}

/** Each setting once: several places read some of them. */
export function once(settings: readonly Setting[]): readonly Setting[] {
  return [...new Map(settings.toReversed().map((setting) => [setting.name, setting])).values()].reverse();
}

/** Its meaning, with the values that it may have. */
export function meaningOf({ about, choices, min, max }: Setting): string {
  const values = choices?.join(', ') ?? (min === undefined || max === undefined ? '' : `${min}–${max}`);
  return values === '' ? about : `${about} (${values})`;
}

/** Its default in words. */
export function defaultOf({ unset, default: fallback }: Setting): string {
  if (unset !== undefined) return unset;
  if (fallback === undefined) return 'required';
  return textOf(fallback);
}

/** A value as the environment has it. */
export function textOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
