/** Encodes bytes, or text as UTF-8, as application/x-www-form-urlencoded. */
export function formEncoded(value: string | Uint8Array): string {
  const bytes = Buffer.from(value);
  return bytes
    .toString('latin1')
    .replace(/[^\w*.-]/g, (byte) =>
      byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
}

/** Decodes a value in application/x-www-form-urlencoded to bytes. A percent sign without two digits is kept. */
export function formDecoded(text: string): Uint8Array {
  const bytes = Buffer.from(text.replaceAll('+', ' ')).toString('latin1');
  const decoded = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
