import { useCallback, useState } from 'preact/hooks';

/** An announcement of the last change. Announcing the same text again announces it once more. */
export interface Announcement {
  readonly text: string;
  readonly count: number;
}

export function useAnnouncement(): [Announcement | undefined, (text: string) => void] {
  const [announcement, setAnnouncement] = useState<Announcement>();
  const announce = useCallback(
    (text: string) => setAnnouncement((last) => ({ text, count: (last?.count ?? 0) + 1 })),
    [],
  );
  return [announcement, announce];
}
