import { useEffect, useState } from 'preact/hooks';

const GUARD_MS = 500;

/**
 * Whether clicks must be ignored: the page has been in front for less than half a second. Such a click may have been
 * meant for another window. A site can ask for a double-click in a window of its own, close it after the first click,
 * and so uncover this page under the second.
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
