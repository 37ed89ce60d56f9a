import { useCallback, useState } from 'preact/hooks';

/** An announcement of the last change. Announcing the same text again has an effect, too. */
export interface Said {
  readonly words: string;
  readonly turn: number;
}

export function useSaid(): [Said | undefined, (words: string) => void] {
  const [said, setSaid] = useState<Said>();
  const say = useCallback((words: string) => setSaid((last) => ({ words, turn: (last?.turn ?? 0) + 1 })), []);
  return [said, say];
}
