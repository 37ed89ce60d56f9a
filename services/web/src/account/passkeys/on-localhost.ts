/**
 * The URL of this page on localhost, where passkeys work, without query and fragment. Undefined unless the page is at a
 * loopback address.
 */
export function onLocalhost({ href }: Pick<Location, 'href'>): string | undefined {
  const page = new URL(href);
  if (!/^127\.[\d.]+$|^\[::1\]$/.test(page.hostname)) return undefined;
  const there = new URL(page.pathname, page);
  there.hostname = 'localhost';
  return there.href;
}
