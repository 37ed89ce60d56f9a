import type { LogEvent } from '../world/event.ts';

/** Beyond it the load is given up. */
const MAX_EVENTS = 100_000;

/** The events that were applied since the recording began. */
export class EventRecording {
  readonly #events: LogEvent[] = [];
  #isComplete = true;

  get events(): readonly LogEvent[] {
    return this.#events;
  }

  /** False if events are missing. */
  isComplete(): boolean {
    return this.#isComplete;
  }

  add(event: LogEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    else this.#isComplete = false;
  }

  onEventsLost(): void {
    this.#isComplete = false;
  }
}
