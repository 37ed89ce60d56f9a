import { readJson } from './read.ts';
import { jsonWriter } from './write.ts';

export interface ExactText {
  readonly text: string;
  /** False: a member was missing or of another type, and the text has its empty value. */
  readonly whole: boolean;
}

/**
 * Makes the function that writes any object as JSON of a message: the message's fields alone, in their order, whatever
 * else the object has. For what another version may have written.
 */
export function exactJsonWriter(name: string): (value: object) => ExactText {
  const write = jsonWriter<Record<string, unknown>>(name);
  return (value) => {
    const { message, violations } = readJson<Record<string, unknown>>(name, { ...value });
    return { text: write(message), whole: violations.length === 0 };
  };
}
