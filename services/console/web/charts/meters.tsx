/** A part of a whole, such as connections in use. */
export interface Meter {
  readonly name: string;
  readonly value: number;
  readonly max: number;
  /** The numbers in words. */
  readonly text: string;
  /** Whether something waits. */
  readonly isFull: boolean;
}

/** A bar for each, with its numbers in words. */
export function Meters({ meters }: { meters: readonly Meter[] }) {
  return (
    <ul class="meters">
      {meters.map(({ name, value, max, text, isFull }) => (
        <li key={name}>
          <div class="meter-head">
            <span>{name}</span>
            <span class="quiet">{text}</span>
          </div>
          <div class="meter-track" aria-hidden="true">
            <div
              class={isFull ? 'meter-fill full' : 'meter-fill'}
              style={{ width: `${max > 0 ? Math.min(100, (100 * value) / max) : 0}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
