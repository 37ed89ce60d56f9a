/** What no two accounts share: the unique forms of their addresses and user names. */
export interface UniqueKeys {
  readonly email_key?: string | undefined;
  readonly username_key?: string | undefined;
}

/** The unique form of an address or user name: lower case. Both are ASCII. */
export function uniqueKey(text: string): string {
  return text.toLowerCase();
}
