/** The token in the fragment of a mail's link: `#token=…`. Undefined if there is none. */
export function tokenOf(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token') || undefined;
}
