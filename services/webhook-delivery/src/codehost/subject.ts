import { integerAt, linkAt, objectAt, textAt, type Untyped } from '../execution/untyped.ts';

/** The parts of an issue, pull request or discussion that embeds show. */
export interface Subject {
  readonly it: Untyped | undefined;
  readonly number: number | undefined;
  readonly name: string | undefined;
  readonly url: string | undefined;
  readonly body: string | undefined;
}

export function subjectAt(payload: Untyped, member: string): Subject {
  const it = objectAt(payload, member);
  return {
    it,
    number: integerAt(it, 'number'),
    name: textAt(it, 'title'),
    url: linkAt(it, 'html_url'),
    body: textAt(it, 'body'),
  };
}
