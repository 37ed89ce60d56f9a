import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';

export interface CountedExporter {
  readonly exporter: SpanExporter;
  counts(): { readonly sent: number; readonly lost: number };
}

const SAY_EVERY_MS = 60_000;
const SUCCESS = 0;

/** Counts what an exporter sends, and says once a minute at most that it could not: what is lost is lost. */
export function countedExporter(exporter: SpanExporter, log: Logger): CountedExporter {
  let sent = 0;
  let lost = 0;
  let saidAt_ms = Number.NEGATIVE_INFINITY;

  function failed(error: Error | undefined): void {
    const now_ms = performance.now();
    if (now_ms - saidAt_ms < SAY_EVERY_MS) return;
    saidAt_ms = now_ms;
    log.warn({ reason: error?.name, error_code: codeOf(error), lost }, 'spans could not be sent');
  }

  return {
    counts: () => ({ sent, lost }),
    exporter: {
      export: (spans, done) => {
        exporter.export(spans, (result) => {
          if (result.code === SUCCESS) {
            sent += spans.length;
          } else {
            lost += spans.length;
            failed(result.error);
          }
          done({ code: SUCCESS });
        });
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    },
  };
}

/** An HTTP status or a system's code. The text may hold what the receiver said, or its address with a credential. */
function codeOf(error: Error | undefined): unknown {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code ?? (cause as { code?: unknown } | undefined)?.code;
}
