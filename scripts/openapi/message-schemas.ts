import { relative } from 'node:path';
import { contractType, type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import { protoRoot } from '@gatehouse/proto/schema';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { formOf, objectTitle } from '../api-reference/route-messages.ts';
import { described } from './descriptions.ts';
import { type Direction, type FieldSchema, valueSchema } from './field-schema.ts';
import { type JsonSchema, orNull, ref } from './json-schema.ts';
import { Problems } from './problems.ts';
import { ruleProblems, valueProblems } from './rule-problems.ts';
import { messageRule, schemaRule } from './schema-rules.ts';

/** The rule of a value that is not empty, by its type. */
const SOME: Readonly<Record<string, JsonSchema>> = {
  string: { pattern: '\\S' },
  array: { minItems: 1 },
  boolean: { const: true },
};

/** The component schemas of messages. They are collected while the document refers to them. */
export class MessageSchemas {
  readonly #comments: ContractComments;
  readonly #shared: ReadonlySet<string>;
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #messages = new Map<string, string>();
  readonly #problems: Problems;

  /**
   * @param shared the names of messages that occur in requests and in responses
   * @param problems gets the fields without a comment, and those whose rule contradicts itself
   */
  constructor(comments: ContractComments, shared: ReadonlySet<string>, problems: Problems = new Problems()) {
    this.#comments = comments;
    this.#shared = shared;
    this.#problems = problems;
  }

  /** All schemas so far, by name. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * A reference to a message's schema.
   *
   * @param only the fields that the schema has; all by default
   * @throws Error if messages of two packages have the same name
   */
  refTo(message: MessageSchema, direction: Direction, only?: ReadonlySet<string>): JsonSchema {
    const title = objectTitle(message.name);
    const name = direction === 'input' && this.#shared.has(message.name) ? `${title}Input` : title;
    const known = this.#messages.get(name);
    if (known !== undefined && known !== `${direction} ${message.name}`)
      throw new Error(`${message.name}: the schema ${name} is that of ${known}`);
    if (known === undefined) {
      this.#messages.set(name, `${direction} ${message.name}`);
      this.#schemas.set(name, {}); // before its members, because a message may contain itself
      this.#schemas.set(name, this.#objectSchema(message, direction, only));
    }
    return ref(name);
  }

  /** The schema of a field's value, without its description. */
  fieldSchema(message: MessageSchema, field: FieldSchema, direction: Direction): JsonSchema {
    const [listed] = field.list ? (field.message?.fields ?? []) : [];
    if (listed !== undefined && field.message !== undefined) {
      const items = this.fieldSchema(field.message, listed, direction);
      return { ...items, ...lengthOf(message, field) };
    }
    const one = this.#messageOf(message, field, direction) ?? this.#valueSchema(message, field, direction);
    return field.repeated ? { type: 'array', items: one, ...lengthOf(message, field) } : one;
  }

  #valueSchema(message: MessageSchema, field: FieldSchema, direction: Direction): JsonSchema {
    const rule = schemaRule(message.name, field.name);
    const wrong = ruleProblems(field, rule);
    const schema = wrong.length > 0 ? {} : valueSchema(field, rule, direction);
    for (const problem of [...wrong, ...(wrong.length > 0 ? [] : valueProblems(rule, schema))])
      this.#problems.add(placeOf(message, field.name), problem);
    return schema;
  }

  /** A field's description as a member of its schema or its parameter. */
  about(message: MessageSchema, field: string): { readonly description?: string } {
    const about = described(this.#comments.get(`${message.name}.${field}`));
    if (about.description === undefined) this.#problems.add(placeOf(message, field), 'there is no comment');
    return about;
  }

  #messageOf(message: MessageSchema, field: FieldSchema, direction: Direction): JsonSchema | undefined {
    const { of } = schemaRule(message.name, field.name);
    const form = of === undefined ? formOf(message, field.name, this.#comments) : messageSchema(of);
    const target = field.message ?? form;
    return target === undefined ? undefined : this.refTo(target, direction);
  }

  #objectSchema(message: MessageSchema, direction: Direction, only?: ReadonlySet<string>): JsonSchema {
    const fields = message.fields.filter(
      (field) => (only?.has(field.name) ?? true) && isShown(field, direction),
    );
    const properties = fields.map((field) => [field.name, this.#member(message, field, direction)]);
    const required = fields.filter((field) => isRequired(message, field, direction)).map(({ name }) => name);
    const comment = this.#comments.get(message.name);
    if (comment === undefined) this.#problems.add(placeOf(message), 'there is no comment');
    return {
      type: 'object',
      ...described(withoutName(objectTitle(message.name), comment)),
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(properties),
      ...(direction === 'input' && this.#choices(message)),
    };
  }

  /** The rule that one of several members is required. */
  #choices(message: MessageSchema): JsonSchema {
    const { any_required, any_filled } = messageRule(message.name);
    for (const name of [...any_required, ...any_filled])
      if (!message.fields.some((field) => field.name === name))
        this.#problems.add(placeOf(message), `its rule names ${name}, which is no field`);
    const choices = [
      ...any_required.map((name) => ({ required: [name] })),
      ...any_filled.map((name) => this.#filled(message, name)),
    ];
    return choices.length === 0 ? {} : { anyOf: choices };
  }

  /** Requires a member with a value, of its own type even where others count as absent. */
  #filled(message: MessageSchema, name: string): JsonSchema {
    const field = message.fields.find((one) => one.name === name);
    if (field === undefined) return { required: [name] };
    const schema = this.fieldSchema(message, field, 'input');
    const some = SOME[String(schema.type)] ?? {};
    return { required: [name], properties: { [name]: { ...some, ...schema } } };
  }

  #member(message: MessageSchema, field: FieldSchema, direction: Direction): JsonSchema {
    const { lax, form } = messageRule(message.name);
    const about = this.about(message, field.name);
    // As in a response, an ID in a form is text.
    if (form) return { ...about, ...this.fieldSchema(message, field, 'output') };
    const schema = this.fieldSchema(message, field, direction);
    if (direction === 'input' && lax) return { ...about, anyOf: [schema, {}] };
    return { ...about, ...(mayBeNull(message, field, direction) ? orNull(schema) : schema) };
  }
}

/** The place of a message, or of a field: `proto/gatehouse/chat/v1/chat.proto: Guild.name`. */
function placeOf({ name }: MessageSchema, field?: string): string {
  const file = relative(protoRoot, contractType(name).filename ?? '');
  return `proto/${file}: ${[objectTitle(name), field].filter(Boolean).join('.')}`;
}

/** "Guild is a guild …" as "A guild …", and "Invite lets …" as "Lets …". */
function withoutName(name: string, comment = ''): string {
  if (!comment.startsWith(`${name} `)) return comment;
  const rest = comment.slice(name.length + 1).replace(/^(?:is|are) /, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function lengthOf(message: MessageSchema, field: FieldSchema): JsonSchema {
  const { min_items, max_items } = schemaRule(message.name, field.name);
  const most = max_items ?? (Number.isFinite(field.itemsRead) ? field.itemsRead - 1 : undefined);
  return {
    ...(min_items !== undefined && { minItems: min_items }),
    ...(most !== undefined && { maxItems: most }),
  };
}

function isShown(field: FieldSchema, direction: Direction): boolean {
  return direction === 'input' ? !field.serverOnly : field.kind !== 'bytes';
}

function isRequired(message: MessageSchema, field: FieldSchema, direction: Direction): boolean {
  if (direction === 'output') return !field.omitAbsent;
  return field.required || schemaRule(message.name, field.name).required === true;
}

/** In requests null counts as left out. */
function mayBeNull(message: MessageSchema, field: FieldSchema, direction: Direction): boolean {
  if (direction === 'input') return !isRequired(message, field, direction);
  return field.nullIfEmpty || (field.optional && !field.omitAbsent) || field.kind.startsWith('nullable_');
}
