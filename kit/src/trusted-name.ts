import type { Form } from './form.ts';

// Besides control characters: line separators, and format characters that Unicode deprecates or reserves for internal
// use.
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u206a-\u206f\ufff9-\ufffb]/u;
/**
 * A character that is visible by itself. Fillers, joiners, variation selectors and tags are Default_Ignorable; marks
 * need another character. The listed code points are letters and symbols without ink: an empty Braille pattern, a
 * notehead and hieroglyphs.
 */
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}]/u;

/**
 * Reads a name that people base trust on, trimmed, such as an application's (docs/conventions.md#names). It needs a
 * visible character, and must not contain control characters or ones that change the text direction. Characters that
 * form emoji or join letters are allowed.
 */
export function readTrustedName(
  form: Form,
  path: string,
  text: string,
  rule: { readonly max: number },
): string {
  const name = form.text(path, text, { min: 1, max: rule.max, trim: true });
  if (CONTROLS.test(name)) {
    form.fail(
      path,
      'INVALID_FORMAT',
      'Must not contain control characters, or any that change the direction of text.',
    );
  } else if (name !== '' && !VISIBLE.test(name)) {
    form.fail(path, 'INVALID_FORMAT', 'Must contain a visible character.');
  }
  return name;
}
