/** Maps a value at once, or a promise's value when it resolves. */
export function mapResult<T, U>(result: T | Promise<T>, map: (value: T) => U): U | Promise<U> {
  return result instanceof Promise ? result.then(map) : map(result);
}
