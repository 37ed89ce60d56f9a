import { setTimeout as sleep } from 'node:timers/promises';
import type { TailOptions } from './arguments.ts';
import { channelOf, eventJson, eventLine } from './event-line.ts';
import { type FollowOptions, follow } from './follow.ts';
import type { GatewayEvent } from './frames.ts';
import { knownNames } from './names.ts';

type Shown = Pick<TailOptions, 'channels' | 'types' | 'count' | 'for_seconds' | 'json'>;

export interface Tail extends Shown, Omit<FollowOptions, 'onEvent'> {
  readonly print: (line: string) => void;
  /** Called at each READY, shown or not. */
  readonly ready?: () => void;
}

/** Prints the events of a session until there were enough, the time is over, or the signal. */
export async function tail(options: Tail): Promise<void> {
  const { count, json, print, for_seconds } = options;
  const names = knownNames();
  const enough = new AbortController();
  const signal = AbortSignal.any([options.signal, enough.signal]);
  let shown = 0;

  const onEvent = (event: GatewayEvent) => {
    if (signal.aborted) return;
    names.learn(event);
    if (event.t === 'READY') options.ready?.();
    if (isAskedFor(event, options)) {
      const at = new Date();
      print(json ? eventJson(event, at) : eventLine(event, names, at));
      shown += 1;
    }
    names.forget(event);
    if (shown === count) enough.abort();
  };

  const over = for_seconds === undefined ? undefined : sleep(for_seconds * 1000, undefined, { signal });
  over?.then(() => enough.abort()).catch(() => undefined);
  try {
    await follow({ ...options, onEvent, signal });
  } finally {
    enough.abort();
  }
}

function isAskedFor(event: GatewayEvent, { channels, types }: Shown): boolean {
  if (types !== undefined && !types.includes(event.t)) return false;
  return channels === undefined || channels.includes(channelOf(event) ?? '');
}
