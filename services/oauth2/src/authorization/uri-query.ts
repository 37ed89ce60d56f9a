/**
 * Makes a query valid in a URI: percent-encodes the bytes that URIs may not contain (RFC 3986 §3.4) and keeps all
 * others. Node decodes the bytes of the request line as Latin-1. Some of them are invalid in a header, and a "#" would
 * end the query.
 */
export function uriQuery(raw: string): string {
  return raw.replace(
    /[^\x21\x22\x24-\x7e]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
