import { useCurrentInView } from '@gatehouse/web/shared/ui/use-current-in-view.ts';
import { useRef } from 'preact/hooks';
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
  useCurrentInView(links, path.value);
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
