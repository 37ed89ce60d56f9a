const MOST_MS = 100;

/** Resolves once the browser has painted what is in the HTML. A hidden tab does not paint, so there is a timeout. */
export function firstFrame(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, MOST_MS);
  });
}
