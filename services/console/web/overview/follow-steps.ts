import type { Overview } from './snapshot.ts';

/** After an answer that is no stream, the browser does not connect again by itself. */
const RETRY_MS = 5_000;

export interface StepHandlers {
  readonly onOpen: () => void;
  readonly onBreak: () => void;
  /** The answer was no stream. It connects again after a pause. */
  readonly onRefused: () => void;
  readonly onStep: (step: Overview) => void;
}

/**
 * Follows the steps of the overview while the tab is visible: a browser opens only six connections to a server, for all
 * of its tabs. Returns what ends it.
 */
export function followSteps({ onOpen, onBreak, onRefused, onStep }: StepHandlers): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    clearTimeout(timer);
    source?.close();
  }

  function open(): void {
    const opened = new EventSource('/api/overview/stream');
    source = opened;
    opened.addEventListener('open', onOpen);
    opened.addEventListener('snapshot', ({ data }) => onStep(JSON.parse(data) as Overview));
    opened.addEventListener('error', () => {
      onBreak();
      if (opened.readyState !== EventSource.CLOSED) return;
      onRefused();
      timer = setTimeout(open, RETRY_MS);
    });
  }

  function followVisibility(): void {
    close();
    if (document.visibilityState === 'visible') open();
    else onBreak();
  }

  followVisibility();
  document.addEventListener('visibilitychange', followVisibility);
  return () => {
    document.removeEventListener('visibilitychange', followVisibility);
    close();
  };
}
