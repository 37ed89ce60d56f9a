/** Freezes a message and the messages in it. Bytes cannot be frozen. */
export function deepFreeze<T>(message: T): T {
  if (typeof message !== 'object' || message === null || message instanceof Uint8Array) return message;
  for (const value of Object.values(message)) deepFreeze(value);
  return Object.freeze(message);
}
