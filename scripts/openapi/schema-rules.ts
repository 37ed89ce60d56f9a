import { contractType } from '@gatehouse/kit/json';

/** The options of proto/kit/v1/schema.proto on a field. */
export interface SchemaRule {
  readonly min_length?: number;
  readonly max_length?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly min?: number;
  readonly max?: number;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly values?: string | readonly string[];
  readonly default?: string;
  readonly example?: string;
  readonly of?: string;
}

export function schemaRule(message: string, field: string): SchemaRule {
  return mergedOption(contractType(message).fields[field]?.parsedOptions, '(kit.v1.schema)');
}

/** At least one of these members of a request is required. Empty without such a rule. */
export function anyRequired(message: string): string[] {
  const rule = mergedOption(contractType(message).parsedOptions, '(kit.v1.message_schema)');
  const { any_required = [] } = rule as { any_required?: string | string[] };
  return [any_required].flat();
}

/** An option may be written as one block, or as several with a member each. */
function mergedOption(options: unknown, name: string): object {
  const blocks = Array.isArray(options) ? options.flatMap((option) => option[name] ?? []) : [];
  return Object.assign({}, ...blocks);
}
