/** An entry of the search index, which the build makes. */
export interface SearchEntry {
  readonly title: string;
  /** The route of an operation, or the guide of a section. */
  readonly where: string;
  readonly url: string;
  /** The words of its text, once each, in lower case. */
  readonly words: string;
}
