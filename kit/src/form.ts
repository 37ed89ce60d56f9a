import { invalidForm, type Violation } from './fault.ts';

export interface TextRule {
  /** Minimum code points. Default: 0. */
  readonly min?: number;
  /** Maximum code points. */
  readonly max?: number;
  /** Whether to trim white space before counting. */
  readonly trim?: boolean;
  /** The violation's code. Default: STRING_LENGTH_INVALID. */
  readonly code?: string;
}

/** Collects all violations of a form, so that a client gets them in one answer. */
export class Form {
  readonly violations: Violation[] = [];

  /** Checks a text's length and returns it, trimmed if the rule says so. */
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

  /** @throws INVALID_FORM_BODY if there are violations */
  check(): void {
    if (this.violations.length > 0) throw invalidForm(this.violations);
  }
}

/** Length in Unicode code points, the unit of all limits of the API. */
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
