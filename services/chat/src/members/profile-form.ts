import { Form } from '@gatehouse/kit/form';
import type { UpdateMemberRequest, UpdateOwnMemberRequest } from '@gatehouse/proto/chat';
import type { NullableString } from '@gatehouse/proto/kit/json';
import { readColor, readId, readText } from '../form/fields.ts';
import { MAX_ROLES } from '../roles/role-rules.ts';
import type { MemberProfile } from '../store/members/member-profiles.ts';

/** Changes to a member's profile: undefined leaves a field unchanged, null clears it. */
export type ProfilePatch = { readonly [Field in keyof MemberProfile]?: MemberProfile[Field] | undefined };

/** Changes to another member: undefined leaves a field unchanged. */
export interface MemberPatch {
  readonly nick: string | null | undefined;
  readonly role_ids: readonly string[] | undefined;
}

const NICK = { min: 1, max: 32, trim: true };
const BIO = { max: 320 };
const PRONOUNS = { max: 40 };

/**
 * Reads changes to the caller's own profile, without the pictures.
 *
 * @throws INVALID_FORM_BODY
 */
export function readProfileForm(request: UpdateOwnMemberRequest): ProfilePatch {
  const form = new Form();
  const { nick, bio, pronouns, accent_color } = request;
  const wanted = {
    nick: readOptionalText(form, 'nick', nick, NICK),
    bio: readOptionalText(form, 'bio', bio, BIO),
    pronouns: readOptionalText(form, 'pronouns', pronouns, PRONOUNS),
    accent_color: accent_color == null ? undefined : (accent_color.value ?? null),
  };
  if (wanted.accent_color != null) readColor(form, 'accent_color', wanted.accent_color);
  form.check();
  return wanted;
}

/**
 * Reads changes to another member.
 *
 * @throws INVALID_FORM_BODY
 */
export function readMemberForm({ nick, roles }: UpdateMemberRequest): MemberPatch {
  const form = new Form();
  const wanted = { nick: readOptionalText(form, 'nick', nick, NICK), role_ids: roles?.items };
  if (roles != null && roles.items.length > MAX_ROLES) {
    form.fail('roles', 'INVALID_FORMAT', `Must be at most ${MAX_ROLES} roles.`);
  }
  for (const [index, id] of (roles?.items ?? []).entries()) readId(form, `roles.${index}`, id);
  form.check();
  return wanted;
}

function readOptionalText(
  form: Form,
  path: string,
  member: NullableString | null | undefined,
  rule: typeof NICK | typeof BIO,
): string | null | undefined {
  if (member == null) return undefined;
  return member.value == null ? null : readText(form, path, member.value, rule);
}
