import { useEffect, useRef } from 'preact/hooks';
import { path } from '../router/place.ts';

const LINKS = [
  ['/', 'Overview'],
  ['/routes', 'Routes'],
  ['/limits', 'Limits'],
  ['/accounts', 'Accounts'],
  ['/applications', 'Applications'],
  ['/webhooks', 'Webhooks'],
  ['/guilds', 'Guilds'],
  ['/gateway', 'Gateway'],
  ['/jobs', 'Jobs'],
  ['/operators', 'Operators'],
  ['/log', 'Operators’ log'],
] as const;

/** The pages of the console, beside the content, or above it in a narrow window. */
export function Navigation() {
  const links = useRef<HTMLElement>(null);
  useEffect(() => {
    const strip = links.current;
    const current = strip?.querySelector<HTMLElement>('[aria-current]');
    // In a narrow window the strip scrolls sideways; nothing else may scroll.
    if (strip && current)
      strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
  }, [path.value]);
  return (
    <nav ref={links} class="pages" aria-label="Pages">
      {LINKS.map(([href, text]) => {
        const isCurrent = path.value === href || (href !== '/' && path.value.startsWith(`${href}/`));
        return (
          <a key={href} href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
            {text}
          </a>
        );
      })}
    </nav>
  );
}
