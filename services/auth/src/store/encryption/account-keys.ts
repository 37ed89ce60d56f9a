/** Unique names, in lower case. */
export interface AccountKeys {
  readonly email_key?: string | undefined;
  readonly username_key?: string | undefined;
}

/** The unique form of an address or user name: lower case. Both are ASCII. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}
