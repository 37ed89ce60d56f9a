import { ALL_PERMISSIONS } from '@gatehouse/chat-client/permissions';
import type { Form } from '@gatehouse/kit/form';

const MAX = 2n ** 63n - 1n;

/** Reads permissions from a request (docs/guilds.md#permissions). Unknown bits are dropped. */
export function readPermissions(form: Form, path: string, text: string): bigint {
  const bits = /^(?:0|[1-9][0-9]{0,18})$/.test(text) ? BigInt(text) : undefined;
  if (bits !== undefined && bits <= MAX) return bits & ALL_PERMISSIONS;
  form.fail(path, 'INVALID_FORMAT', 'Must be a decimal number between 0 and 2^63-1, as text.');
  return 0n;
}
