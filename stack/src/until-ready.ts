import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 50;

/** Waits until the edge reports that every service answers, and accepts WebSockets. */
export async function untilReady(url: string, within_ms: number, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + within_ms;
  let answer = 'nothing';
  while (performance.now() < until) {
    signal?.throwIfAborted();
    const { status, body } = await ask(`${url}/readyz`);
    if (status === 200 && (await opensWebSocket(url))) return;
    answer = status === 200 ? `${body}, and /gateway accepted no WebSocket` : body;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`not every service answers after ${within_ms / 1000} s; /readyz said: ${answer}`);
}

/** node:http, because fetch would cost the supervisor about 10 MB. */
function ask(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('close', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.once('timeout', () => request.destroy(new Error('no answer within 2 s')));
    request.once('error', (error) => resolve({ status: 0, body: error.message }));
  });
}

/** Whether realtime accepts a WebSocket. The edge calls it for nothing else, so /readyz does not cover it. */
function opensWebSocket(url: string): Promise<boolean> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve) => {
    const request = get(`${url}/gateway`, { agent: false, timeout: 2_000, headers });
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(true);
    });
    request.once('response', (response) => {
      response.destroy();
      resolve(false);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
