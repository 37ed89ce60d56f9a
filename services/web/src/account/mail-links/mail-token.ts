/** The token that a mail's link has in its fragment: `#token=…`. Undefined: there is none. */
export function tokenOf(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token') || undefined;
}
