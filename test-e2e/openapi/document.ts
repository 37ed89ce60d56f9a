import { readFileSync } from 'node:fs';

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example?: Json;
}

/** A schema of the document, as far as tests read it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: Json;
}

export interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-credentials': readonly string[];
}

/** An operation and its place in the document. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The description of the API that the edge serves. */
export const DOCUMENT: Document = JSON.parse(
  readFileSync(new URL('../../gateway/openapi.json', import.meta.url), 'utf8'),
);

/** The operations by their ID. */
export const OPERATIONS: ReadonlyMap<string, PlacedOperation> = new Map(
  Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { method, path, operation },
    ]),
  ),
);

/** The schema that a reference means. */
export function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (DOCUMENT.components.schemas[componentName(schema.$ref)] ?? {});
}

/** The name of a component in a reference. */
export function componentName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
