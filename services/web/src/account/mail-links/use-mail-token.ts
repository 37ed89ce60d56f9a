import { useEffect, useState } from 'preact/hooks';
import { tokenOf } from './mail-token.ts';

/**
 * Takes the token of a mail's link out of the address bar and the history. Another link opened in the same tab replaces
 * it. Undefined if the URL has none.
 */
export function useMailToken(): [token: string | undefined, setToken: (token: string) => void] {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    const takeNext = () => setToken((last) => takeToken() ?? last);
    addEventListener('hashchange', takeNext);
    return () => removeEventListener('hashchange', takeNext);
  }, []);
  return [token, setToken];
}

function takeToken(): string | undefined {
  const token = tokenOf(location.hash);
  if (token !== undefined) history.replaceState(null, '', location.pathname);
  return token;
}
