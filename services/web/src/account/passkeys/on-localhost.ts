/**
 * The same page by this machine's name, where passkeys work; undefined: the page is of another machine, or has a name.
 * Nothing but its path goes along.
 */
export function onLocalhost({ href }: Pick<Location, 'href'>): string | undefined {
  const page = new URL(href);
  if (!/^127\.[\d.]+$|^\[::1\]$/.test(page.hostname)) return undefined;
  const there = new URL(page.pathname, page);
  there.hostname = 'localhost';
  return there.href;
}
