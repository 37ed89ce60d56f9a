import { plainName } from '../plain-name.ts';

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** A name inside a sentence: whatever its direction, the words around it stay in their order. */
export function isolated(name: string): string {
  return FIRST_STRONG_ISOLATE + plainName(name) + POP_ISOLATE;
}

export interface SentencePart {
  /** Its place in the sentence. */
  readonly at: number;
  readonly text: string;
  readonly isName: boolean;
}

/** The parts of a sentence: its words, and the names in it. */
export function partsOf(sentence: string): SentencePart[] {
  return [...sentence.matchAll(/\u2068([^\u2069]*)\u2069|[^\u2068]+/g)].map(
    ({ 0: words, 1: name, index }) => ({
      at: index,
      text: name ?? words,
      isName: name !== undefined,
    }),
  );
}
