import type { Violation } from '@gatehouse/kit/fault';

/** A long body on its way to the thread that reads it. */
export interface LongJsonJob {
  readonly id: number;
  readonly body: Uint8Array;
  /** The full name of the request message that its members fill. */
  readonly message: string;
  /** Fields of that message which the body does not fill. */
  readonly skip: readonly string[];
  /** Members whose values are wanted beside the message, wherever it is invalid. */
  readonly members: readonly string[];
}

/** What came of it. */
export interface LongJsonResult {
  readonly id: number;
  /** Everything that is wrong with the body; then `encoded` means nothing. */
  readonly violations: readonly Violation[];
  readonly encoded: Uint8Array;
  /** Of the wanted members those that are there: their values, an empty array or object for one that has something in it. */
  readonly members: Readonly<Record<string, unknown>>;
}
