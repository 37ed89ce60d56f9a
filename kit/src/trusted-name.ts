import type { Form } from './form.ts';

// Line separators, and the format characters that Unicode deprecates or keeps for internal use, are controls to readers.
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u206a-\u206f\ufff9-\ufffb]/u;
/**
 * A character that shows by itself. Fillers, joiners, variation selectors and tags are Default_Ignorable; marks need
 * another character. The rest are letters and symbols without ink: a Braille pattern without dots, a notehead and
 * hieroglyphs.
 */
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}]/u;

/**
 * Reads a name that people judge trust by, trimmed, such as an application's (docs/conventions.md#names). It has at
 * least one visible character, and none that is a control or changes the direction of text. Characters that form emoji,
 * or join letters, are allowed.
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
