import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Scrolls a strip of links sideways to the current one, where it is too narrow for all. Nothing else scrolls. */
export function useCurrentInView(strip: RefObject<HTMLElement | null>, current: string | undefined): void {
  useEffect(() => {
    const shown = strip.current?.getBoundingClientRect();
    const link = strip.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (strip.current && shown && link)
      strip.current.scrollLeft += link.left + link.width / 2 - (shown.left + shown.width / 2);
  }, [current]);
}
