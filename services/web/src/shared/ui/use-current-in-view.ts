import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Scrolls a strip of links sideways to the current one, where it is too narrow for all, also when it becomes narrower.
 * Nothing else scrolls.
 */
export function useCurrentInView(strip: RefObject<HTMLElement | null>, current: string | undefined): void {
  useEffect(() => {
    const links = strip.current;
    if (links === null) return undefined;
    const resized = new ResizeObserver(() => centreCurrent(links)); // it is called at once, too
    resized.observe(links);
    return () => resized.disconnect();
  }, [current]);
}

function centreCurrent(strip: HTMLElement): void {
  const shown = strip.getBoundingClientRect();
  const link = strip.querySelector('[aria-current]')?.getBoundingClientRect();
  if (link) strip.scrollLeft += link.left + link.width / 2 - (shown.left + shown.width / 2);
}
