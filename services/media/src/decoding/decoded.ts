/** A completely decoded image. */
export interface Decoded {
  readonly animated: boolean;
  /** The picture without metadata, comments and trailing bytes. */
  readonly bytes: Buffer;
}

/** Refusal of a broken image, and of one over the memory or time limit. */
export const UNREADABLE = 'Must be an image that can be decoded.';

/** A message of a decoder: ready, the result of a picture, or over its memory limit. */
export type DecoderMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'decoded'; readonly result: Decoded | string }
  | { readonly kind: 'out_of_memory' };
