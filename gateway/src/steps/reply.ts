import { jsonWriter, messageSchema } from '@gatehouse/kit/json';
import type { BrowserCookie } from '../http/sign-in-cookie.ts';
import type { Answer, Route } from '../route.ts';
import { messageName } from '../service-definitions.ts';
import { cookieSetter } from './sign-in-cookie.ts';

export type Replier = (response: Record<string, unknown>) => Answer;

const NO_CONTENT: Answer = { status: 204 };

/**
 * Makes the function that turns a route's response into its answer: the JSON of the message, or of the route's member
 * of it. If that member is absent, the answer is 204. Set-Cookie is added where the route changes the sign-in cookie.
 */
export function replier(route: Route, cookie: BrowserCookie): Replier {
  const toAnswer = plainReplier(route);
  const setCookie = cookieSetter(route, cookie);
  return setCookie === undefined ? toAnswer : (response) => setCookie(toAnswer(response), response);
}

function plainReplier(route: Route): Replier {
  const { reply, answer, status, as_json } = route;
  if (reply !== undefined) return reply;
  if (status === 204) return () => NO_CONTENT;
  const write = jsonWriter<Record<string, unknown>>(messageName(route, 'Response'), answer);
  const jsonField = as_json ? jsonFieldOf(route) : undefined;
  return (response) => {
    if (answer !== undefined && (response[answer] === null || response[answer] === undefined))
      return NO_CONTENT;
    const json = jsonField === undefined ? undefined : response[jsonField];
    // A service of the previous version does not write JSON.
    const body = json instanceof Uint8Array ? withoutFrame(json) : write(response);
    return { status: 200, content_type: 'application/json', body };
  };
}

/** The response's field of bytes with the JSON of the route's member. */
function jsonFieldOf(route: Route): string {
  const { name, fields } = messageSchema(messageName(route, 'Response'));
  const field = fields.find(({ jsonOf }) => jsonOf !== undefined && jsonOf === route.answer);
  if (field === undefined) throw new Error(`${name} has no JSON of ${route.answer}`);
  return field.name;
}

/** Copies bytes out of a longer frame: a slow client would keep all of the frame in memory. */
function withoutFrame(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > 1.25 * bytes.length ? Buffer.from(bytes) : bytes;
}
