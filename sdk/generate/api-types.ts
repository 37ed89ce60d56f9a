import openapiTs, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * The text of src/generated/api.ts: the types of an OpenAPI document. Without the answers of errors, which the client
 * throws as classes, and without the paths that only a browser opens.
 */
export async function apiTypes(document: OpenAPI3): Promise<string> {
  const nodes = await openapiTs(withoutErrors(document), {
    alphabetize: true,
    // A member with a default may be left out of a request.
    defaultNonNullable: false,
  });
  return `${COMMENT_HEADER}${astToString(nodes)}`;
}

function withoutErrors(document: OpenAPI3): OpenAPI3 {
  const copy = structuredClone(document);
  for (const [path, operations] of Object.entries(copy.paths ?? {})) {
    for (const verb of VERBS) {
      if ('$ref' in operations) throw new Error(`${path} is a reference`);
      const operation = operations[verb];
      if (operation === undefined) continue;
      if ('$ref' in operation) throw new Error(`${verb} ${path} is a reference`);
      const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2'));
      operation.responses = Object.fromEntries(answers);
      if (answers.length === 0) delete operations[verb];
    }
  }
  return copy;
}
