import type { Callback } from './callback.ts';

/** The broadcast channel between the page that tries the flow and the callback page. */
const CHANNEL = 'gatehouse.try';
const ACKNOWLEDGE_TIMEOUT_MS = 2000;

interface Message {
  readonly callback?: Callback;
  /** Acknowledges the callback with this state. */
  readonly acknowledged?: string;
}

/** Waits for the callback with this state, and ignores others. Call the returned function to stop. */
export function awaitCallback(state: string, onCallback: (callback: Callback) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.callback?.state !== state) return;
    channel.postMessage({ acknowledged: state } satisfies Message);
    channel.close();
    onCallback(data.callback);
  };
  return () => channel.close();
}

/** Sends a callback to the waiting page. Resolves to false if no page acknowledges it within two seconds. */
export function sendCallback(callback: Callback): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = (isAcknowledged: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isAcknowledged);
    };
    const timer = setTimeout(() => end(false), ACKNOWLEDGE_TIMEOUT_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.acknowledged === callback.state) end(true);
    };
    channel.postMessage({ callback } satisfies Message);
  });
}
