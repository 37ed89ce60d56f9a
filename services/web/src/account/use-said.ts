import { useCallback, useState } from 'preact/hooks';

/** What was just done, in words. The same said again is news as well. */
export interface Said {
  readonly words: string;
  readonly turn: number;
}

export function useSaid(): [Said | undefined, (words: string) => void] {
  const [said, setSaid] = useState<Said>();
  const say = useCallback((words: string) => setSaid((last) => ({ words, turn: (last?.turn ?? 0) + 1 })), []);
  return [said, say];
}
