/** A schema of JSON Schema 2020-12, as far as the document uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The same schema, with null as a further value. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, description, ...rest } = schema;
  if (typeof type !== 'string' && !Array.isArray(type)) {
    const { description: text, ...bare } = schema;
    return { ...(text !== undefined && { description: text }), anyOf: [bare, { type: 'null' }] };
  }
  return {
    ...(description !== undefined && { description }),
    type: [...[type].flat(), 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...rest,
  };
}
