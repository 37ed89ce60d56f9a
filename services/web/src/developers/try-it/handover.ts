import type { Callback } from './callback.ts';

/** Between the page that tries the flow and the one that consent leads back to: both are of this origin. */
const CHANNEL = 'gatehouse.try';
const PATIENCE_MS = 2000;

interface Message {
  readonly callback?: Callback;
  /** The state of a callback that somebody has taken. */
  readonly taken?: string;
}

/** Waits for the callback with this state; one with any other is not for this page. Ends when it came, or by the call. */
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

/** Gives a callback to the page that waits for it. False: there is none. */
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
