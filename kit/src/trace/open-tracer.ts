import { randomBytes } from 'node:crypto';
import { within } from '../within.ts';
import type { Attributes, Span, SpanKind } from './span.ts';
import { spanTime_ms } from './span-clock.ts';
import type { EndedSpan } from './span-message.ts';
import { spanSender } from './span-sender.ts';
import { writeTraceparent } from './traceparent.ts';
import type { Tracer, TracerOptions } from './tracer.ts';

/** A process that ends has ten seconds for everything. */
const CLOSE_WITHIN_MS = 1_000;
/** Of one request in one process: a request that does thousands of things shows the first of them. */
const MAX_SPANS = 1_000;
/** Of a span: a batch may have as many callers. */
const MAX_LINKS = 64;

/** What a process does for one request. */
interface Part {
  readonly onEnd: (span: EndedSpan) => void;
  open: boolean;
  spans: number;
}

interface Place {
  readonly trace_id: string;
  readonly parent_span_id: string;
}

interface Beginning {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** Who asks it decides what is sampled: it makes a span of everything. */
export function openTracer(options: TracerOptions): Tracer {
  const sender = spanSender(options);
  let ended = 0;
  const onEnd = (span: EndedSpan): void => {
    ended++;
    sender.add(span);
  };
  return {
    begin: (name, attributes, parent) => {
      const place = {
        trace_id: parent?.traceId ?? randomId(16),
        parent_span_id: parent?.spanId ?? '',
      };
      const part: Part = { onEnd, open: true, spans: 0 };
      return begin(part, place, { name, kind: 'server', attributes }, true);
    },
    counts: () => ({ ended, ...sender.counts() }),
    close: async () => {
      await within(CLOSE_WITHIN_MS, sender.close());
    },
  };
}

/** @param isPart whether the part ends with it */
function begin(part: Part, place: Place, { name, kind, attributes }: Beginning, isPart: boolean): Span {
  const { trace_id, parent_span_id } = place;
  const span_id = randomId(8);
  const start_ms = spanTime_ms();
  const values: Record<string, string | number> = { ...attributes };
  const links: Span[] = [];
  let failed = false;
  let ended = false;
  return {
    traceId: trace_id,
    spanId: span_id,
    traceparent: writeTraceparent(trace_id, span_id),
    isOpen: () => part.open && part.spans < MAX_SPANS,
    child: (name, kind, attributes = {}) => {
      part.spans++;
      return begin(part, { trace_id, parent_span_id: span_id }, { name, kind, attributes }, false);
    },
    set: (name, value) => {
      values[name] = value;
    },
    link: (other) => {
      if (links.length < MAX_LINKS) links.push(other);
    },
    fail: (type) => {
      values['error.type'] = type;
      failed = true;
    },
    end: () => {
      if (ended) return;
      ended = true;
      if (isPart) part.open = false;
      const end_ms = spanTime_ms();
      const attributes = values;
      part.onEnd({
        trace_id,
        span_id,
        parent_span_id,
        name,
        kind,
        start_ms,
        end_ms,
        attributes,
        links,
        failed,
      });
    },
  };
}

function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
