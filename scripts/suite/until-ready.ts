import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;

/** Waits until the edge says that every service answers. */
export async function untilReady(url: string, within_ms: number, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + within_ms;
  let answer = 'nothing';
  while (performance.now() < until) {
    signal?.throwIfAborted();
    const { status, body } = await ask(`${url}/readyz`);
    if (status === 200) return;
    answer = body;
    await sleep(EVERY_MS);
  }
  throw new Error(`not every service answers after ${within_ms / 1000} s; /readyz said: ${answer}`);
}

/** node:http, as fetch would cost the supervisor some 10 MB. */
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
