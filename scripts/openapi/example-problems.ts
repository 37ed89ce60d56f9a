import type { JsonSchema } from './json-schema.ts';
import { jsonValidator } from './json-validator.ts';
import type { Problems } from './problems.ts';

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: JsonSchema;
}

/** Finds examples of requests that their own schemas refuse. */
export function findWrongExamples(document: JsonSchema, problems: Problems): void {
  const { paths, components } = document as unknown as Document; // as openApiDocument makes it
  const validate = jsonValidator(components);
  const check = (place: string, { schema, example }: Media) => {
    const why = example === undefined ? undefined : validate(schema, example);
    if (why !== undefined) problems.add(place, why);
  };
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, { parameters = [], requestBody }] of Object.entries(item)) {
      const route = `${verb.toUpperCase()} ${path}`;
      for (const parameter of parameters) check(`${route}: the example of ${parameter.name}`, parameter);
      for (const media of Object.values(requestBody?.content ?? {}))
        check(`${route}: the example of the body`, media);
    }
  }
}
