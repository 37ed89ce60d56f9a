import { useCallback, useState } from 'preact/hooks';

/** An announcement of the last change. Announcing the same text again has an effect, too. */
export interface Announcement {
  readonly words: string;
  readonly turn: number;
}

export function useAnnouncement(): [Announcement | undefined, (words: string) => void] {
  const [announcement, setSaid] = useState<Announcement>();
  const announce = useCallback(
    (words: string) => setSaid((last) => ({ words, turn: (last?.turn ?? 0) + 1 })),
    [],
  );
  return [announcement, announce];
}
