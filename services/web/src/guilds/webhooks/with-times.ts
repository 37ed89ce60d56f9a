/** Replaces the markup of times, such as `<t:1700000000:F>`, by times in the reader's language. */
export function withTimes(text: string, format: (time: Date) => string): string {
  return text.replaceAll(/<t:(-?\d{1,13})(?::[a-zA-Z])?>/g, (markup, seconds: string) => {
    const time = new Date(Number(seconds) * 1000);
    return Number.isNaN(time.getTime()) ? markup : format(time);
  });
}
