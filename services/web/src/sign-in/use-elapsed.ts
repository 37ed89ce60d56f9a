import { useEffect, useState } from 'preact/hooks';

/** Whether this many seconds have passed since the component was mounted. */
export function useElapsed(seconds: number): boolean {
  const [hasElapsed, setElapsed] = useState(seconds <= 0);
  useEffect(() => {
    if (hasElapsed) return;
    const timer = setTimeout(() => setElapsed(true), seconds * 1000);
    return () => clearTimeout(timer);
  }, []);
  return hasElapsed;
}
