import { jsonWriter } from '@gatehouse/kit/json';
import type { Answer, Route } from '../route.ts';
import { messageName } from '../service-definitions.ts';

export type Replier = (response: Record<string, unknown>) => Answer;

const NO_CONTENT: Answer = { status: 204 };

/**
 * Makes the function that turns a route's response into its answer: the JSON of the message, or of the route's member
 * of it. If that member is absent, the answer is 204.
 */
export function replier(route: Route): Replier {
  const { reply, answer, status } = route;
  if (reply !== undefined) return reply;
  if (status === 204) return () => NO_CONTENT;
  const write = jsonWriter<Record<string, unknown>>(messageName(route, 'Response'), answer);
  return (response) => {
    if (answer !== undefined && (response[answer] === null || response[answer] === undefined))
      return NO_CONTENT;
    return { status: 200, content_type: 'application/json', body: write(response) };
  };
}
