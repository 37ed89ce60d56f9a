import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../services/webhook-delivery/src/execution/json-object.ts';

const GOLDEN = new URL('../../services/webhook-delivery/test/golden/', import.meta.url);

/** Payloads of monitoring tools and code hosts for a chat tool's webhook. */
export function chatcompatPayloads(): JsonObject[] {
  return readAll('chatcompat/', '.payload.json');
}

/** Notifications of two status-page products. */
export function statuspagePayloads(): JsonObject[] {
  return readAll('statuspage/', '.json').map(({ payload }) => payload as JsonObject);
}

function readAll(folder: string, end: string): JsonObject[] {
  const url = new URL(folder, GOLDEN);
  return readdirSync(url)
    .filter((name) => name.endsWith(end))
    .map((name) => JSON.parse(readFileSync(new URL(name, url), 'utf8')) as JsonObject);
}
