import type { FastifyRequest } from 'fastify';
import type { Answer } from '../route.ts';
import { choosePage, type PageFiles } from './page-languages.ts';

/** The page in place of an answer that the services could not give. */
export const UNAVAILABLE = '503.html';

/** The browser sends the request again after this time, without a script. */
const RETRY_SECONDS = '5';
const UNAVAILABLE_STATUSES: readonly number[] = [503, 504];

/** Replaces an answer by a page if it needs to be one. */
export type AsPage = (request: FastifyRequest, answer: Answer) => Answer;

export const asItIs: AsPage = (_request, answer) => answer;

/**
 * Some routes of the API are addresses that a browser opens, such as `GET /oauth2/authorize`. If services are away, the
 * person gets a page that tries again by itself; other clients get JSON.
 */
export function unavailablePage(
  languages: PageFiles | undefined,
  read: (file: string) => string,
  page_headers: Readonly<Record<string, string>>,
): AsPage {
  if (languages === undefined) return asItIs;
  const contents = new Map([...languages.values()].map((file) => [file, read(file)]));
  return (request, answer) => {
    if (!UNAVAILABLE_STATUSES.includes(answer.status) || !isForPerson(request)) return answer;
    const { file, headers } = choosePage(languages, request);
    return {
      status: answer.status,
      headers: {
        ...answer.headers,
        ...page_headers,
        ...headers,
        'cache-control': 'no-store',
        refresh: RETRY_SECONDS,
      },
      content_type: 'text/html; charset=utf-8',
      body: contents.get(file) ?? '',
    };
  };
}

/** Scripts and other programs do not ask for HTML. */
function isForPerson({ method, headers }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && headers.accept?.includes('text/html') === true;
}
