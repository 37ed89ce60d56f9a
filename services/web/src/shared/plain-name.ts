/** A name without the characters that reorder the text around it. */
export function plainName(name: string): string {
  return name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
