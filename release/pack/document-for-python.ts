interface Schema {
  readonly properties?: object;
  readonly anyOf?: unknown;
}

export interface OpenapiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * The document as openapi-python-client reads it best: `anyOf` beside `properties`, which says which members a body needs,
 * would make the whole body `Any`.
 */
export function documentForPython<D extends OpenapiDocument>(document: D): D {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const { anyOf: _, ...rest } = schema;
    return [name, schema.properties === undefined ? schema : rest];
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
