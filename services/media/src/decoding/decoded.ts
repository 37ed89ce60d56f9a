/** An image that was decoded to its end. */
export interface Decoded {
  readonly animated: boolean;
  /** The picture and nothing else: no metadata, no comments, nothing behind its end. */
  readonly bytes: Buffer;
}

/** The text for an image that is broken, or takes more memory or time than any may. */
export const UNREADABLE = 'Must be an image that can be decoded.';

/** A decoder says that it is there, what came of a picture, or that it holds more memory than it may. */
export type FromDecoder =
  | { readonly kind: 'ready' }
  | { readonly kind: 'decoded'; readonly result: Decoded | string }
  | { readonly kind: 'out_of_memory' };
