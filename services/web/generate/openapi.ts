/** A document with named schemas. */
export interface Schemas {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The parts of the OpenAPI document that the reference shows. */
export interface OpenApi extends Schemas {
  readonly info: { readonly title: string; readonly version: string; readonly summary?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Schemas['components'] & {
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface ResponseObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Bucket {
  readonly name: string;
  readonly id: string;
  readonly limit: number;
  readonly window_seconds: number;
  readonly key: readonly string[];
}

export interface RateLimit {
  readonly global: boolean;
  readonly buckets: readonly Bucket[];
  readonly by_member?: readonly {
    readonly member: string;
    readonly when: string;
    readonly buckets: readonly Bucket[];
  }[];
}

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly description?: string;
    readonly content: Readonly<Record<string, MediaType>>;
    readonly 'x-max-bytes'?: number;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly 'x-credentials': readonly string[];
  readonly 'x-rate-limit'?: RateLimit;
}

/** An operation with its place in the document. */
export interface Operation extends OperationObject {
  /** In upper case. */
  readonly method: string;
  /** With `{names}`, below /api/v1. */
  readonly path: string;
  readonly tag: string;
}

/** The operations in the order of the document. */
export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      tag: operation.tags[0] ?? 'Other',
    })),
  );
}

/** @throws Error if the document has no such schema */
export function schemaAt({ components }: Schemas, ref: string): Schema {
  const found = components.schemas[nameOf(ref)];
  if (found === undefined) throw new Error(`the document has no ${ref}`);
  return found;
}

/** @throws Error if the document has no such response */
export function responseOf({ components }: OpenApi, response: ResponseObject): ResponseObject {
  if (response.$ref === undefined) return response;
  const found = components.responses[nameOf(response.$ref)];
  if (found === undefined) throw new Error(`the document has no ${response.$ref}`);
  return found;
}

/** The last part of a `$ref`. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
