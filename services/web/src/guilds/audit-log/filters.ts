/** The filters of the audit log. Empty ones are off. */
export interface Filters {
  readonly user_id: string;
  readonly action_type: string;
}

/** Reads the filters from the part of the fragment after the tab: `user_id=7&action_type=20`. */
export function readFilters(part: string): Filters {
  const parameters = new URLSearchParams(part);
  const number = (name: string) => /^[0-9]{1,19}$/.exec(parameters.get(name) ?? '')?.[0] ?? '';
  return { user_id: number('user_id'), action_type: number('action_type') };
}

/** The filters as a query or as a part of the fragment. */
export function writeFilters(filters: Filters): string {
  const used = Object.entries(filters).filter(([, value]) => value !== '');
  return new URLSearchParams(used).toString();
}
