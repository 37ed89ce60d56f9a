import { type Message, suggestion } from './contracts.ts';
import { UsageError } from './usage-error.ts';

/**
 * A message of JSON text, as proto-loader takes it. It would pass over fields that it does not know and make something
 * of values of another type. So the message is read back: what is not there as it was given is refused.
 *
 * @param message of contracts with defaults
 * @param what the text is, for the error
 * @throws UsageError naming the problems
 */
export function readMessage(message: Message, text: string, what: string): object {
  let given: object;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${(error as Error).message}`);
  }
  const problems = isObject(given) ? problemsOf(message, given) : ['it must be an object'];
  const { name } = message.type as { name: string }; // a DescriptorProto
  if (problems.length > 0)
    throw new UsageError(`${what} is no ${name}:\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
  return given;
}

function problemsOf(message: Message, given: object): string[] {
  try {
    return differences(given, message.deserialize(message.serialize(given)), '');
  } catch (error) {
    return [(error as Error).message];
  }
}

/** What is in `given` and not in `read`. */
function differences(given: unknown, read: unknown, path: string): string[] {
  if (isObject(given) && isObject(read) && Array.isArray(given) === Array.isArray(read))
    return Object.entries(given).flatMap(([name, value]) => {
      const at = path === '' ? name : `${path}.${name}`;
      if (value === null && !Array.isArray(given)) return [];
      if (!Object.hasOwn(read, name))
        return [`${at}: there is no such field.${suggestion(name, Object.keys(read))}`];
      return differences(value, read[name], at);
    });
  // A 64-bit number is read as text. Beyond 2^53 JSON does not hold it as a number.
  const exact = typeof given !== 'number' || typeof read === 'number' || Number.isSafeInteger(given);
  const same = !isObject(given) && given !== null && String(given) === String(read);
  return same && exact ? [] : [`${path}: ${JSON.stringify(given)} is no value of this field`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
