/** The fields of the override form, as typed. */
export interface OverrideFields {
  /** '': in all buckets. */
  readonly bucket: string;
  readonly exempt: boolean;
  readonly limit: string;
  readonly window_seconds: string;
  /** Seconds from now. */
  readonly lasts_seconds: string;
}

/** The body of PUT /api/limits/overrides, without identity and reason. */
export interface OverrideBody {
  readonly bucket?: string;
  readonly limit?: number;
  readonly window_seconds?: number;
  readonly exempt: boolean;
  readonly expires_at_ms: number;
}

export const MAX_WINDOW_SECONDS = 86_400;
const MAX_LIMIT = 2 ** 32 - 1;

/** How long an override may last. */
export const DURATIONS = [
  { value: '3600', text: '1 hour' },
  { value: '21600', text: '6 hours' },
  { value: '86400', text: '1 day' },
  { value: '604800', text: '7 days' },
  { value: '2592000', text: '30 days' },
  { value: '31536000', text: '365 days' },
] as const;

/** The body, or messages for the fields that are wrong. */
export function readOverride(
  fields: OverrideFields,
  now_ms: number,
): { readonly body: OverrideBody } | { readonly problems: Readonly<Record<string, string>> } {
  const { bucket, exempt } = fields;
  const expires_at_ms = now_ms + Number(fields.lasts_seconds) * 1_000;
  const common = { ...(bucket !== '' && { bucket }), exempt, expires_at_ms };
  if (exempt) return { body: common };
  const limit = wholeNumber(fields.limit, MAX_LIMIT);
  const window_seconds = wholeNumber(fields.window_seconds, MAX_WINDOW_SECONDS);
  if (limit !== undefined && window_seconds !== undefined)
    return { body: { ...common, limit, window_seconds } };
  return {
    problems: {
      ...(limit === undefined && { limit: 'A whole number from 1.' }),
      ...(window_seconds === undefined && {
        window_seconds: `A whole number from 1 to ${MAX_WINDOW_SECONDS}.`,
      }),
    },
  };
}

/** Undefined if the text is none from 1 to `max`. */
function wholeNumber(text: string, max: number): number | undefined {
  if (!/^[0-9]{1,10}$/.test(text.trim())) return undefined;
  const number = Number(text);
  return number >= 1 && number <= max ? number : undefined;
}
