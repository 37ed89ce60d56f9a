/**
 * The same page on localhost, where passkeys work. Undefined if the page is on another machine or has a domain. Only
 * the path is kept.
 */
export function onLocalhost({ href }: Pick<Location, 'href'>): string | undefined {
  const page = new URL(href);
  if (!/^127\.[\d.]+$|^\[::1\]$/.test(page.hostname)) return undefined;
  const there = new URL(page.pathname, page);
  there.hostname = 'localhost';
  return there.href;
}
