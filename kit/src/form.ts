import { invalidForm, type Violation } from './fault.ts';

export interface TextRule {
  /** Fewest code points; 0 unless given. */
  readonly min?: number;
  /** Most code points. */
  readonly max?: number;
  /** Whether white space at both ends is taken off before counting. */
  readonly trim?: boolean;
  /** The violation's code; STRING_LENGTH_INVALID unless given. */
  readonly code?: string;
}

/** Collects everything that is wrong with a form, so that a client is told all of it at once. */
export class Form {
  readonly violations: Violation[] = [];

  /** Checks a text's length and returns it, trimmed where the rule says so. */
  text(path: string, value: string, rule: TextRule): string {
    const text = rule.trim === true ? value.trim() : value;
    const { min = 0, max = Number.POSITIVE_INFINITY } = rule;
    const length = codePoints(text);
    if (length < min || length > max) {
      this.fail(path, rule.code ?? 'STRING_LENGTH_INVALID', lengthMessage(min, max));
    }
    return text;
  }

  fail(path: string, code: string, message: string): void {
    this.violations.push({ path, code, message });
  }

  /** Throws INVALID_FORM_BODY if anything failed. */
  check(): void {
    if (this.violations.length > 0) throw invalidForm(this.violations);
  }
}

/** Length in Unicode code points, which every limit of the API counts. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        pairs++;
        index++;
      }
    }
  }
  return text.length - pairs;
}

function lengthMessage(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `Must be at least ${min} characters long.`;
  if (min === 0) return `Must be at most ${max} characters long.`;
  return `Must be between ${min} and ${max} characters long.`;
}
