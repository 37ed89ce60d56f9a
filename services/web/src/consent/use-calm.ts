import { useEffect, useState } from 'preact/hooks';

const CALM_MS = 500;

/**
 * Whether the page has been in front for a moment. Until then a click may have been meant for what was there before: a
 * site can have somebody double-click in a window of its own, which closes after the first click and uncovers this one.
 */
export function useCalm(): boolean {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startle = () => {
      setCalm(false);
      clearTimeout(timer);
      timer = setTimeout(() => setCalm(true), CALM_MS);
    };
    startle();
    addEventListener('focus', startle);
    document.addEventListener('visibilitychange', startle);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', startle);
      document.removeEventListener('visibilitychange', startle);
    };
  }, []);
  return isCalm;
}
