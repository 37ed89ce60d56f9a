/** The checks, in the order of the report. */
export const CHECK_NAMES = [
  'settings',
  'certificates',
  'names',
  'ports',
  'descriptors',
  'databases',
  'redis',
  'mail',
  'clocks',
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];
