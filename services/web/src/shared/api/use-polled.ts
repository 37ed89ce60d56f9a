import { useEffect } from 'preact/hooks';

const EVERY_MS = 2_000;

/** Runs again and again while it is wanted and the tab is visible, each run after the end of the one before. */
export function usePolled(
  run: () => Promise<void>,
  { isWanted = true, every_ms = EVERY_MS }: { isWanted?: boolean; every_ms?: number } = {},
): void {
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      timer = setTimeout(async () => {
        if (document.visibilityState === 'visible') await run();
        if (!isGone) next();
      }, every_ms);
    };
    next();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [run, isWanted, every_ms]);
}
