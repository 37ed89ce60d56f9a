/** The shapes, in a square of 24, as lines. */
const SHAPES = {
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  bot: 'M6 9h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM12 9V5M9 14v1M15 14v1M12 4.9v.1',
  key: 'M10 14a4 4 0 1 1 1-2.6L20 12v3h-3v-1.7h-3.5',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  webhook:
    'M12 8.5 8.7 15M12 8.5a3.2 3.2 0 1 0-2.8-1.6M8.5 16.8h7M8.7 15a3.2 3.2 0 1 0 0 3.6M15.3 18.5a3.2 3.2 0 1 0-.2-4L12.6 9.6',
} as const;

export type IconName = keyof typeof SHAPES;

/** A decoration beside words that say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
