import { useEffect, useState } from 'preact/hooks';

const GUARD_MS = 500;

/**
 * Whether clicks must be ignored, because the page has been in front for less than half a second. A site could ask for
 * a double-click in its own window and close it after the first click, so that the second one hits this page.
 */
export function useClickGuard(): boolean {
  const [isGuarded, setGuarded] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const guard = () => {
      setGuarded(true);
      clearTimeout(timer);
      timer = setTimeout(() => setGuarded(false), GUARD_MS);
    };
    guard();
    addEventListener('focus', guard);
    document.addEventListener('visibilitychange', guard);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', guard);
      document.removeEventListener('visibilitychange', guard);
    };
  }, []);
  return isGuarded;
}
