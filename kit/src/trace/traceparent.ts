/** The span of another process that a request belongs to (W3C Trace Context). */
export interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/** The length in version 00. A later version may be longer, and begins with the same fields. */
export const TRACEPARENT_LENGTH = 55;
/** Longer headers are ignored. */
const MAX_TRACEPARENT_CHARACTERS = 128;
const PATTERN = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const INVALID_VERSION = 'ff';
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** Parses a traceparent; undefined if it is malformed by the standard. */
export function readTraceparent(text: string | undefined): Parent | undefined {
  if (text === undefined || text.length < TRACEPARENT_LENGTH || text.length > MAX_TRACEPARENT_CHARACTERS)
    return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = PATTERN.exec(text) ?? [];
  if (version === '' || version === INVALID_VERSION || (version === '00' && more !== undefined))
    return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The traceparent of a sampled span. */
export function writeTraceparent(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}
