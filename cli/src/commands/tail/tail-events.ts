import type { GatewayEvent } from '../../gateway-client/frames.ts';
import { channelOf, eventJson, eventLine } from './event-line.ts';
import { KnownNames } from './known-names.ts';
import { type FollowerOptions, SessionFollower } from './session-follower.ts';

export interface EventFilter {
  /** Undefined: events of any channel, and of none. */
  readonly channels?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface TailOptions extends EventFilter, Omit<FollowerOptions, 'onEvent'> {
  /** End after this number of printed events. */
  readonly count?: number | undefined;
  readonly for_seconds?: number | undefined;
  readonly json?: boolean | undefined;
  readonly print: (line: string) => void;
  /** Called at each READY, printed or not. */
  readonly onReady?: () => void;
}

/** Prints the events of a session until the count, the time or the signal ends it. */
export async function tailEvents(options: TailOptions): Promise<void> {
  const { for_seconds } = options;
  const enough = new AbortController();
  const timeout = for_seconds === undefined ? [] : [AbortSignal.timeout(for_seconds * 1000)];
  const signal = AbortSignal.any([options.signal, enough.signal, ...timeout]);
  const printer = new EventPrinter(options, () => enough.abort());
  const onEvent = (event: GatewayEvent) => {
    if (!signal.aborted) printer.take(event);
  };
  await new SessionFollower({ ...options, onEvent, signal }).run();
}

class EventPrinter {
  readonly #options: TailOptions;
  readonly #onEnough: () => void;
  readonly #names = new KnownNames();
  #printed = 0;

  constructor(options: TailOptions, onEnough: () => void) {
    this.#options = options;
    this.#onEnough = onEnough;
  }

  take(event: GatewayEvent): void {
    this.#names.learn(event);
    if (event.t === 'READY') this.#options.onReady?.();
    if (!passes(event, this.#options)) return;
    const at = new Date();
    this.#options.print(this.#options.json ? eventJson(event, at) : eventLine(event, this.#names, at));
    this.#printed += 1;
    if (this.#printed === this.#options.count) this.#onEnough();
  }
}

function passes(event: GatewayEvent, { channels, types }: EventFilter): boolean {
  if (types !== undefined && !types.includes(event.t)) return false;
  return channels === undefined || channels.includes(channelOf(event) ?? '');
}
