import { type Loaded, useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call, withQuery } from '../api/call.ts';
import { appendStep } from './append-step.ts';
import { followSteps } from './follow-steps.ts';
import type { Overview } from './snapshot.ts';
import { WINDOWS, type WindowName } from './windows.ts';

export interface LiveOverview {
  readonly loaded: Loaded<Overview>;
  /** Whether new steps come in. */
  readonly isLive: boolean;
}

/** A longer window is loaded again this often. */
const RELOAD_EVERY_MS = 60_000;

/** The overview of a window. The last hour is live: its steps come as server-sent events. */
export function useOverview(window: WindowName): LiveOverview {
  const loaded = useLoaded(() => call<Overview>('GET', withQuery('/overview', { window })), [window]);
  const isLive = useSignal(false);
  const newest = useRef(loaded);
  newest.current = loaded;
  const streams = window === '1h';
  useEffect(() => {
    if (!streams) {
      const timer = setInterval(() => void newest.current.reload(), RELOAD_EVERY_MS);
      return () => clearInterval(timer);
    }
    return followSteps({
      onOpen: () => {
        // Steps may be missing since the connection broke.
        if (!isLive.peek() && newest.current.value !== undefined) void newest.current.reload();
        isLive.value = true;
      },
      onBreak: () => {
        isLive.value = false;
      },
      // It says why: nobody is signed in, for example.
      onRefused: () => void newest.current.reload(),
      onStep: (step) => {
        const { value, replace } = newest.current;
        if (value !== undefined) replace(appendStep(value, step, WINDOWS['1h'].window_ms));
      },
    });
  }, [window]);
  return { loaded, isLive: streams && isLive.value };
}
