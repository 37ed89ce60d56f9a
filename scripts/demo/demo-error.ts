/** What the person who runs the demo can do something about; its message says what. */
export class DemoError extends Error {
  override name = 'DemoError';
}
