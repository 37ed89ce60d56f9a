import { highlight } from '../highlight.ts';
import type { Operation } from '../openapi.ts';
import { withPlaceholders } from '../placeholders.ts';
import { curlExample } from './curl.ts';
import { exampleRequest } from './example-request.ts';
import { goExample } from './go.ts';
import { pythonExample } from './python.ts';
import { typescriptExample } from './typescript.ts';

/** An operation's example in one language, as highlighted HTML. */
export interface Example {
  readonly id: string;
  readonly label: string;
  readonly html: string;
}

export function examplesOf(operation: Operation): Example[] {
  const request = exampleRequest(operation);
  const show = (id: string, label: string, language: string, code: string): Example => {
    return { id, label, html: withPlaceholders(highlight(code, language)) };
  };
  return [
    show('curl', 'curl', 'bash', curlExample(request)),
    show('typescript', 'TypeScript', 'typescript', typescriptExample(operation, request)),
    show('python', 'Python', 'python', pythonExample(operation, request)),
    show('go', 'Go', 'go', goExample(request)),
  ];
}
