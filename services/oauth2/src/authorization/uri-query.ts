/**
 * A query as it arrived, fit for a URI: bytes that no URI may have are percent-encoded (RFC 3986 §3.4), and all others
 * stay. Node reads bytes as Latin-1. A header could not carry some of them, and a "#" would end the query.
 */
export function uriQuery(raw: string): string {
  return raw.replace(
    /[^\x21\x22\x24-\x7e]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
