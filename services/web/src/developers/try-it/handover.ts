import type { Callback } from './callback.ts';

/** Connects the page that tries the flow with the callback page. Both have this origin. */
const CHANNEL = 'gatehouse.try';
const PATIENCE_MS = 2000;

interface Message {
  readonly callback?: Callback;
  /** Acknowledges the callback with this state. */
  readonly taken?: string;
}

/** Waits for the callback with this state, and ignores others. The returned function stops it. */
export function awaitCallback(state: string, take: (callback: Callback) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.callback?.state !== state) return;
    channel.postMessage({ taken: state } satisfies Message);
    channel.close();
    take(data.callback);
  };
  return () => channel.close();
}

/** Sends a callback to the waiting page. Returns false if no page waits for it. */
export function handOver(callback: Callback): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isTaken);
    };
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.taken === callback.state) end(true);
    };
    channel.postMessage({ callback } satisfies Message);
  });
}
