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
  readonly required?: boolean;
}

/** The options of proto/kit/v1/schema.proto on a message. */
interface MessageRule {
  /** At least one of these members of a request is required. Empty without such a rule. */
  readonly any_required: readonly string[];
  /** At least one of these members of a request is required with a value. Empty without such a rule. */
  readonly any_filled: readonly string[];
  /** Whether a member of a wrong type counts as absent. */
  readonly lax: boolean;
  /** Whether it is sent as a form. */
  readonly form: boolean;
}

export function schemaRule(message: string, field: string): SchemaRule {
  return mergedOption(contractType(message).fields[field]?.parsedOptions, '(kit.v1.schema)');
}

/** A list with one item may be written as that item. */
interface WrittenMessageRule {
  readonly any_required?: string | readonly string[];
  readonly any_filled?: string | readonly string[];
  readonly lax?: boolean;
  readonly form?: boolean;
}

export function messageRule(message: string): MessageRule {
  const rule = mergedOption(contractType(message).parsedOptions, '(kit.v1.message_schema)');
  const { any_required = [], any_filled = [], lax = false, form = false } = rule as WrittenMessageRule;
  return { any_required: [any_required].flat(), any_filled: [any_filled].flat(), lax, form };
}

/** An option may be written as one block, or as several with a member each. */
function mergedOption(options: unknown, name: string): object {
  const blocks = Array.isArray(options) ? options.flatMap((option) => option[name] ?? []) : [];
  return Object.assign({}, ...blocks);
}
