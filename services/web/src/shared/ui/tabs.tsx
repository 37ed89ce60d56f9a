import { useRef } from 'preact/hooks';
import { useCurrentInView } from './use-current-in-view.ts';

/** Links to the views of one thing. They are links, so that reload, the back button and a new tab work. */
export function Tabs(props: {
  /** The accessible name of the navigation. */
  label: string;
  tabs: readonly { readonly href: string; readonly text: string; readonly isCurrent: boolean }[];
}) {
  const { label, tabs } = props;
  const strip = useRef<HTMLElement>(null);
  useCurrentInView(strip, tabs.find(({ isCurrent }) => isCurrent)?.href);
  return (
    <nav ref={strip} class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent }) => (
        <a key={href} href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
          {text}
        </a>
      ))}
    </nav>
  );
}
