import { headerList } from './request-headers.ts';

/** The encodings of compressed answers, with the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The first of `ENCODINGS` that an Accept-Encoding header allows (RFC 9110 §12.5.3); undefined for no compression. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const refusedByName = new Map<string, boolean>();
  for (const member of headerList(header)) {
    const [name = '', ...parameters] = member.split(';');
    refusedByName.set(name.trim(), parameters.some(isZeroWeight));
  }
  return ENCODINGS.find((name) => (refusedByName.get(name) ?? refusedByName.get('*')) === false);
}

function isZeroWeight(parameter: string): boolean {
  return /^\s*q\s*=\s*0(?:\.0{0,3})?\s*$/.test(parameter);
}
