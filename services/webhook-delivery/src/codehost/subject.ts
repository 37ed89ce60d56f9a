import { integerAt, linkAt, objectAt, textAt, type Untyped } from '../execution/untyped.ts';

/** The parts of an issue, pull request or discussion that embeds show. */
export interface Subject {
  readonly object: Untyped | undefined;
  readonly number: number | undefined;
  readonly name: string | undefined;
  readonly url: string | undefined;
  readonly body: string | undefined;
}

export function subjectAt(payload: Untyped, member: string): Subject {
  const object = objectAt(payload, member);
  return {
    object,
    number: integerAt(object, 'number'),
    name: textAt(object, 'title'),
    url: linkAt(object, 'html_url'),
    body: textAt(object, 'body'),
  };
}
