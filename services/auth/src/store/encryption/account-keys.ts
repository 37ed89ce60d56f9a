/** Names in lower case. They are unique. */
export interface AccountKeys {
  readonly email_key?: string | undefined;
  readonly username_key?: string | undefined;
}

/** An address or user name in the form that is unique: lower case. Both are ASCII. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}
