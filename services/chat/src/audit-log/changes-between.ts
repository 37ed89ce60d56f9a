import type { AuditChange } from '../store/audit-log/audit-log.ts';

/** Lists the fields among `keys` that differ. `before` is undefined for a creation, `after` for a deletion. */
export function changesBetween<T extends object>(
  before: T | undefined,
  after: T | undefined,
  keys: readonly (keyof T & string)[],
): AuditChange[] {
  return keys.flatMap((key) => {
    const old_value = before?.[key] ?? undefined;
    const new_value = after?.[key] ?? undefined;
    if (JSON.stringify(old_value) === JSON.stringify(new_value)) return [];
    return [
      { key, ...(old_value !== undefined && { old_value }), ...(new_value !== undefined && { new_value }) },
    ];
  });
}
