import type { Upload } from '@gatehouse/proto/media';

/** The settings that an owner can change. */
export interface ApplicationSettings {
  readonly name: string;
  readonly description: string | null;
  readonly terms_url: string | null;
  readonly privacy_url: string | null;
  readonly redirect_uris: string[];
  readonly bot_public: boolean;
  readonly bot_require_code_grant: boolean;
  /** Whether it is a public client: it has no client secret. */
  readonly public: boolean;
}

/** An application without its client secret. */
export interface Application extends ApplicationSettings {
  readonly id: string;
  readonly owner_id: string;
  /** The hash of a picture. */
  readonly icon: string | null;
  readonly created_at: Date;
}

/** SQL: the columns of an `Application`. */
export const APPLICATION_COLUMNS = `id, owner_id, name, icon, description, terms_url, privacy_url, redirect_uris, bot_public,
  bot_require_code_grant, created_at, client_secret_hash IS NULL AS public`;

/** The settings of a form, with the icon as an upload. */
export type RequestedApplication = ApplicationSettings & { readonly icon: Upload | null };

/** The changes of a form. Absent members stay unchanged. */
export type ApplicationChanges = Partial<RequestedApplication>;
