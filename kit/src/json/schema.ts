import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { protoRoot } from '@gatehouse/proto/schema';
import protobuf from 'protobufjs';

/** The kind of a field's value. */
export type FieldKind =
  | 'string'
  | 'snowflake'
  | 'json'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'bytes'
  | 'nullable_string'
  | 'nullable_snowflake'
  | 'nullable_integer'
  | 'message';

export interface FieldSchema {
  readonly name: string;
  readonly kind: FieldKind;
  /** The range of an integer type. */
  readonly min: number;
  readonly max: number;
  readonly optional: boolean;
  readonly repeated: boolean;
  /** In requests: whether the member is required. */
  readonly required: boolean;
  /** For repeated fields: the maximum number of items that are read, which is one more than allowed. */
  readonly itemsRead: number;
  readonly omitAbsent: boolean;
  /** In answers: whether the empty string becomes null. */
  readonly nullIfEmpty: boolean;
  readonly serverOnly: boolean;
  /**
   * For integers: whether a string of decimal digits is accepted. For strings: whether a number is accepted, as its
   * digits.
   */
  readonly decimalText: boolean;
  /** For kind `bytes`: the field of the same message whose JSON the bytes are. */
  readonly jsonOf: string | undefined;
  /** For kind `message`: whether an array stands for the message, and fills its only field. */
  readonly list: boolean;
  /** For kind `message`: its schema. */
  readonly message: MessageSchema | undefined;
}

export interface MessageSchema {
  readonly name: string;
  readonly fields: readonly FieldSchema[];
}

const INTEGER_BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
};

const NULLABLE: Readonly<Record<string, FieldKind>> = {
  '.kit.v1.NullableString': 'nullable_string',
  '.kit.v1.NullableInteger': 'nullable_integer',
};

let root: protobuf.Root | undefined;
const schemas = new Map<string, MessageSchema>();

/** Returns the schema of a message of our contracts by full name. The .proto files are read once. */
export function messageSchema(name: string): MessageSchema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const fields: FieldSchema[] = [];
  const schema: MessageSchema = { name, fields };
  schemas.set(name, schema); // before its fields, because a message may contain itself
  for (const field of contractType(name).fieldsArray) fields.push(fieldSchema(field.resolve()));
  return schema;
}

/** A message of our contracts as its .proto file declares it, by full name. */
export function contractType(name: string): protobuf.Type {
  root ??= loadContracts();
  return root.lookupType(name);
}

function loadContracts(): protobuf.Root {
  const contracts = new protobuf.Root();
  contracts.resolvePath = (_origin, target) => {
    if (target.startsWith('google/protobuf/'))
      return fileURLToPath(import.meta.resolve(`protobufjs/${target}`));
    return isAbsolute(target) ? target : join(protoRoot, target);
  };
  const folders = ['kit', 'gatehouse'].map((folder) => join(protoRoot, folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.proto'))
      .map((file) => join(folder, file)),
  );
  contracts.loadSync(files, { keepCase: true });
  return contracts;
}

function fieldSchema(field: protobuf.Field): FieldSchema {
  const rule = jsonRule(field);
  const kind = kindOf(field, rule.format);
  const [min, max] = INTEGER_BOUNDS[kind === 'nullable_integer' ? 'int64' : field.type] ?? [0, 0];
  return {
    name: field.name,
    kind,
    min,
    max,
    optional: isOptional(field),
    repeated: field.repeated,
    required: rule.required === true || isAlwaysPresent(field),
    itemsRead: typeof rule.max_items === 'number' ? rule.max_items + 1 : Number.POSITIVE_INFINITY,
    omitAbsent: rule.omit_absent === true,
    nullIfEmpty: rule.null_if_empty === true,
    serverOnly: rule.server_only === true,
    decimalText: rule.decimal_text === true,
    jsonOf: typeof rule.json_of === 'string' ? rule.json_of : undefined,
    list: rule.list === true,
    message:
      kind === 'message' && field.resolvedType
        ? messageSchema(field.resolvedType.fullName.slice(1))
        : undefined,
  };
}

function kindOf(field: protobuf.Field, format: unknown): FieldKind {
  if (field.resolvedType instanceof protobuf.Type) {
    const nullable = NULLABLE[field.resolvedType.fullName];
    if (nullable === 'nullable_string' && format === 'FORMAT_SNOWFLAKE') return 'nullable_snowflake';
    return nullable ?? 'message';
  }
  if (field.type in INTEGER_BOUNDS) return 'integer';
  switch (field.type) {
    case 'string':
      if (format === 'FORMAT_SNOWFLAKE') return 'snowflake';
      return format === 'FORMAT_JSON' ? 'json' : 'string';
    case 'bool':
      return 'boolean';
    case 'double':
      return 'number';
    case 'bytes':
      return 'bytes';
    default:
      throw new Error(`${field.fullName}: ${field.type} has no JSON form here`);
  }
}

/** Whether null is a value of its own, distinct from an absent member. */
export function isNullable({ kind }: FieldSchema): boolean {
  return kind.startsWith('nullable_');
}

/** Message fields always have presence; scalars have it with `optional`. */
function isOptional(field: protobuf.Field): boolean {
  return field.options?.proto3_optional === true;
}

/** Whether the field has no absent state: a scalar without `optional`. */
function isAlwaysPresent(field: protobuf.Field): boolean {
  return !isOptional(field) && !field.repeated && field.resolvedType === null && field.type !== 'bytes';
}

function jsonRule(field: protobuf.Field): Record<string, unknown> {
  const rule: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(field.options ?? {})) {
    if (name.startsWith('(kit.v1.json).')) rule[name.slice('(kit.v1.json).'.length)] = value;
  }
  return rule;
}
