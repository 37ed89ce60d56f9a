import { setTimeout as sleep } from 'node:timers/promises';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { errorType } from './current-span.ts';

export interface RetryingExporter extends SpanExporter {
  /** Numbers of spans since the process started. */
  counts(): { readonly sent: number; readonly refused: number };
  /** From now on, a batch that cannot be sent is dropped. */
  giveUp(): void;
}

const EXPORT_RETRY_MS = 1_000;

/**
 * Sends a batch again until its receiver accepts or refuses it: OpenTelemetry's exporter gives up after a few
 * attempts. Failures are hidden from BatchSpanProcessor, because it would then send several batches at once.
 *
 * @param onFailure gets a status code, a system error code, or the SDK's own text, and never text of a receiver
 */
export function retryingExporter(
  exporter: SpanExporter,
  onFailure: (reason: unknown) => void,
): RetryingExporter {
  const sending = new Set<Promise<void>>();
  const end = new AbortController();
  let sent = 0;
  let refused = 0;

  async function send(spans: ReadableSpan[]): Promise<void> {
    for (;;) {
      const { code, error } = await attempt(exporter, spans);
      if (code === ExportResultCode.SUCCESS) {
        sent += spans.length;
        return;
      }
      const reason = statusOrSystemCode(error) ?? error?.message;
      const isRefused = typeof reason === 'number'; // the SDK reports 429, 502, 503 and 504 without a code
      if (isRefused) refused += spans.length;
      onFailure(reason);
      if (isRefused || end.signal.aborted) return;
      await sleep(EXPORT_RETRY_MS, undefined, { ref: false, signal: end.signal }).catch(() => undefined);
    }
  }

  return {
    export: (spans, done) => {
      const batch = send(spans)
        .catch((error: unknown) => {
          refused += spans.length; // not sent: they could not be encoded
          onFailure(errorType(error));
        })
        .finally(() => {
          sending.delete(batch);
          done({ code: ExportResultCode.SUCCESS });
        });
      sending.add(batch);
    },
    shutdown: async () => {
      await Promise.all(sending);
      await exporter.shutdown();
    },
    counts: () => ({ sent, refused }),
    giveUp: () => end.abort(),
  };
}

function attempt(exporter: SpanExporter, spans: ReadableSpan[]): Promise<ExportResult> {
  return new Promise((resolve) => {
    exporter.export(spans, resolve);
  });
}

function statusOrSystemCode(error: (Error & { readonly code?: unknown }) | undefined): unknown {
  return error?.code;
}
