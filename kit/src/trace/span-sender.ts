import { poster } from './poster.ts';
import { type EndedSpan, exportRequest } from './span-message.ts';
import type { TracerCounts, TracerOptions } from './tracer.ts';

/** Sends spans to a receiver, some at a time. */
export interface SpanSender {
  add(span: EndedSpan): void;
  counts(): Omit<TracerCounts, 'ended'>;
  /** What waits is sent still. */
  close(): Promise<void>;
}

/** A kilobyte or so each. What comes beyond is lost. */
const MAX_WAITING = 4_096;
const MAX_A_REQUEST = 512;
const SEND_EVERY_MS = 1_000;
/** Of a receiver that is slow; meanwhile others wait. */
const SEND_WITHIN_MS = 5_000;
const SAY_EVERY_MS = 60_000;
/** The receiver may take them a second later (OTLP, "Failures"). */
const LATER: ReadonlySet<unknown> = new Set([429, 502, 503, 504]);

/**
 * Sends each second, and sooner what fills a request. A receiver that is away or has no room is asked again; what it
 * refuses is lost, as is what finds no room here.
 */
export function spanSender({ endpoint, headers, resource, service, log }: TracerOptions): SpanSender {
  const { post, close } = poster(new URL(`${endpoint}/v1/traces`), {
    headers: { ...headers, 'content-type': 'application/x-protobuf' },
    timeout_ms: SEND_WITHIN_MS,
  });
  const origin = { ...resource, 'service.name': service };
  let waiting: EndedSpan[] = [];
  let sent = 0;
  let lost = 0;
  let sending: Promise<void> | undefined;
  let isAway = false;
  let saidAt_ms = Number.NEGATIVE_INFINITY;
  const timer = setInterval(send, SEND_EVERY_MS).unref();

  function send(): Promise<void> {
    sending ??= sendFullOnes().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendFullOnes(): Promise<void> {
    do await sendSome();
    while (waiting.length >= MAX_A_REQUEST && !isAway);
  }

  async function sendSome(): Promise<void> {
    const spans = waiting.slice(0, MAX_A_REQUEST);
    if (spans.length === 0) return;
    const answer = await post(exportRequest(origin, spans));
    const isTaken = typeof answer === 'number' && answer >= 200 && answer < 300;
    isAway = typeof answer === 'string' || LATER.has(answer);
    if (!isTaken) say(answer);
    if (isAway) return;
    waiting = waiting.slice(spans.length);
    if (isTaken) sent += spans.length;
    else lost += spans.length;
  }

  function say(reason: number | string): void {
    if (performance.now() - saidAt_ms < SAY_EVERY_MS) return;
    saidAt_ms = performance.now();
    log.warn({ reason, lost, waiting: waiting.length }, 'spans could not be sent');
  }

  return {
    add: (span) => {
      if (waiting.length >= MAX_WAITING) {
        lost++;
        return;
      }
      waiting.push(span);
      if (waiting.length >= MAX_A_REQUEST && !isAway) void send();
    },
    counts: () => ({ sent, lost }),
    close: async () => {
      clearInterval(timer);
      await sending;
      while (waiting.length > 0 && !isAway) await send();
      close();
    },
  };
}
