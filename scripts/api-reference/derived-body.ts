import { credentialFields, type Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { messageSchema } from '@gatehouse/kit/json';
import { type FieldSchema, takesMembers } from './route-messages.ts';

/**
 * A body for a route without an example: its required members, or the first member if none is required; undefined if
 * the route needs no body.
 */
export function derivedBody(row: Route): object | undefined {
  if (!takesMembers(row)) return typeof row.body === 'object' ? {} : undefined;
  const elsewhere = new Set([
    ...row.params,
    ...row.query,
    ...Object.values(row.headers),
    ...credentialFields(row),
  ]);
  const { fields } = messageSchema(messageName(row, 'Request'));
  return members(fields.filter(({ name }) => !elsewhere.has(name)));
}

function members(fields: readonly FieldSchema[]): Record<string, unknown> {
  const taken = fields.filter(({ serverOnly }) => !serverOnly);
  const needed = taken.filter(({ required }) => required);
  const shown = needed.length > 0 ? needed : taken.slice(0, 1);
  return Object.fromEntries(shown.map((field) => [field.name, exampleOf(field)]));
}

function exampleOf(field: FieldSchema): unknown {
  if (field.repeated || field.list) return [];
  switch (field.kind) {
    case 'snowflake':
    case 'nullable_snowflake':
      return '1234567890123456789';
    case 'json':
      return {};
    case 'integer':
    case 'nullable_integer':
      return Math.max(field.min, 1);
    case 'boolean':
      return true;
    case 'message':
      return members(field.message?.fields ?? []);
    default:
      return `a ${field.name.replaceAll('_', ' ')}`;
  }
}
