import { integerAt, type JsonObject, linkAt, objectAt, textAt } from '../execution/json-object.ts';

/** The parts of an issue, pull request or discussion that embeds show. */
export interface Subject {
  readonly object: JsonObject | undefined;
  readonly number: number | undefined;
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly body: string | undefined;
}

export function subjectAt(payload: JsonObject, member: string): Subject {
  const object = objectAt(payload, member);
  return {
    object,
    number: integerAt(object, 'number'),
    title: textAt(object, 'title'),
    url: linkAt(object, 'html_url'),
    body: textAt(object, 'body'),
  };
}
