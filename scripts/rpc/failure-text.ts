import { type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { printable, printableJson } from '../auth/printable.ts';
import type { Contracts } from './contracts.ts';

const DETAILS_KEY = 'grpc-status-details-bin';

/** All that a failed call says: status, message, the details of its google.rpc.Status, trailers. */
export function failureText(contracts: Contracts, error: ServiceError, called: string): string {
  const { code, details, metadata } = error;
  return [
    `${status[code] ?? 'UNKNOWN'} (${code}) of ${called}`,
    `message: ${printable(details)}`,
    ...statusDetails(contracts, metadata).map((detail) => `detail: ${jsonText(detail).trimEnd()}`),
    ...trailers(metadata).map(([key, value]) => `trailer: ${key}: ${printable(value)}`),
    '',
  ].join('\n');
}

/** JSON for people and scripts, without what a terminal would obey. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(printableJson).join('\n')}\n`;
}

/** The same on one line. */
export function jsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`;
}

/** ErrorInfo, BadRequest and whatever else there is, each with its type as `@type`. */
function statusDetails({ codecs }: Contracts, metadata: Metadata): readonly unknown[] {
  return metadata.get(DETAILS_KEY).flatMap((value) => {
    if (!(value instanceof Buffer)) return [];
    try {
      const decoded = codecs.get('google.rpc.Status')?.deserialize(value) as { details?: unknown[] };
      return decoded.details ?? [];
    } catch (error) {
      return [`${DETAILS_KEY} is no google.rpc.Status: ${(error as Error).message}`];
    }
  });
}

/** Of a key in -bin the value in base64. */
function trailers(metadata: Metadata): [key: string, value: string][] {
  return Object.keys(metadata.getMap()).flatMap((key) =>
    metadata
      .get(key)
      .map((value): [string, string] => [key, typeof value === 'string' ? value : value.toString('base64')]),
  );
}
