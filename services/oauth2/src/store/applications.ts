import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { Pool } from 'pg';
import {
  APPLICATION_COLUMNS,
  type Application,
  type ApplicationChanges,
  type RequestedApplication,
} from './application.ts';
import type { NewClientSecret } from './client-secrets.ts';
import type { PrismaClient } from './prisma.ts';

/** Turns a reservation into an application. Undefined, without any change, if the reservation has expired. */
export async function insertApplication(
  db: Pool,
  application: RequestedApplication & Pick<Application, 'id' | 'owner_id'>,
  /** Undefined for a public client. */
  secret: NewClientSecret | undefined,
): Promise<Application | undefined> {
  const { icon, ...settings } = application;
  const { rows } = await db.query<{ created_at: Date }>({
    // The bot of an expired reservation will be deleted.
    text: `WITH reservation AS (
             DELETE FROM application_reservations WHERE id = $1 AND owner_id = $2 AND expires_at > now()
             RETURNING id, owner_id
           ), used AS (
             DELETE FROM unmade_bots USING reservation WHERE application_id = reservation.id
           ), queued AS (
             INSERT INTO picture_changes (application_id, hash, upload_id, next_attempt_at)
             SELECT id, $11::text, $12::text, ${NEXT_ATTEMPT('$13')} FROM reservation WHERE $11::text IS NOT NULL
           )
           INSERT INTO applications
             (id, owner_id, name, redirect_uris, bot_public, bot_require_code_grant, client_secret_hash,
              description, terms_url, privacy_url, icon,
              client_secret_id, client_secret_hint, client_secret_created_at)
           SELECT id, owner_id, $3::text, $4::text[], $5::boolean, $6::boolean, $7::bytea,
                  $8::text, $9::text, $10::text, $11::text,
                  $14::bigint, $15::text, CASE WHEN $14::bigint IS NOT NULL THEN now() END FROM reservation
           RETURNING created_at`,
    values: [
      settings.id,
      settings.owner_id,
      settings.name,
      settings.redirect_uris,
      settings.bot_public,
      settings.bot_require_code_grant,
      secret?.hash ?? null,
      settings.description,
      settings.terms_url,
      settings.privacy_url,
      icon?.hash ?? null,
      icon?.id ?? null,
      OUTBOX_RETRY_MS,
      secret?.id ?? null,
      secret?.hint ?? null,
    ],
  });
  return rows.map(({ created_at }) => ({ ...settings, icon: icon?.hash ?? null, created_at }))[0];
}

/** SQL: when another replica may send a queued change. */
const NEXT_ATTEMPT = (milliseconds: string) =>
  `now() + ${milliseconds}::double precision * interval '1 millisecond'`;

/** An account's applications, oldest first. */
export async function findApplicationsOf(prisma: PrismaClient, owner_id: string): Promise<Application[]> {
  const found = await prisma.application.findMany({
    where: { owner_id: BigInt(owner_id) },
    orderBy: { id: 'asc' },
  });
  return found.map(applicationOf);
}

export async function findApplication(prisma: PrismaClient, id: string): Promise<Application | undefined> {
  const found = await prisma.application.findUnique({ where: { id: BigInt(id) } });
  return found === null ? undefined : applicationOf(found);
}

/** An application after changes. */
export interface ChangedApplication {
  readonly application: Application;
  /** Whether the new secret is now that of the application, because it had none and is no public client any more. */
  readonly isNewSecretUsed: boolean;
}

/**
 * Applies changes in one statement. An application that becomes a public client loses its secret; one that ceases to be
 * one gets the new secret. Of concurrent changes only one uses its secret. Undefined if there is no such application.
 */
export async function changeApplication(
  db: Pool,
  id: string,
  changes: ApplicationChanges,
  new_secret: NewClientSecret,
): Promise<ChangedApplication | undefined> {
  const { icon } = changes;
  const { rows } = await db.query<Application & { readonly is_new_secret_used: boolean }>({
    name: 'change_application',
    text: CHANGE,
    values: [
      id,
      changes.name ?? null,
      changes.redirect_uris ?? null,
      changes.bot_public ?? null,
      changes.bot_require_code_grant ?? null,
      changes.public ?? null,
      new_secret.hash,
      ...nullable(changes.description),
      ...nullable(changes.terms_url),
      ...nullable(changes.privacy_url),
      ...nullable(icon === undefined ? undefined : (icon?.hash ?? null)),
      icon?.id ?? null,
      OUTBOX_RETRY_MS,
      new_secret.id,
      new_secret.hint,
    ],
  });
  return rows.map(({ is_new_secret_used: isNewSecretUsed, ...application }) => ({
    application,
    isNewSecretUsed,
  }))[0];
}

/** Whether a column changes, and its new value. */
function nullable(value: string | null | undefined): readonly [boolean, string | null] {
  return [value !== undefined, value ?? null];
}

/** SQL: a public client has no secret, and one that ceases to be one gets the new secret unless it has one. */
function secretPart(column: string, fresh: string): string {
  return `CASE WHEN $6::boolean THEN NULL
    WHEN NOT $6::boolean AND client_secret_hash IS NULL THEN ${fresh} ELSE ${column} END`;
}

const secondPart = (column: string) => `CASE WHEN $6::boolean THEN NULL ELSE ${column} END`;

/** SQL. The version of an icon is drawn after the application's row is locked, so later changes have higher ones. */
const CHANGE = `
  WITH changed AS (
    UPDATE applications
       SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
           bot_public = coalesce($4, bot_public),
           bot_require_code_grant = coalesce($5, bot_require_code_grant),
           client_secret_hash = ${secretPart('client_secret_hash', '$7::bytea')},
           client_secret_id = ${secretPart('client_secret_id', '$18::bigint')},
           client_secret_hint = ${secretPart('client_secret_hint', '$19::text')},
           client_secret_created_at = ${secretPart('client_secret_created_at', 'now()')},
           client_secret_used_at = ${secretPart('client_secret_used_at', 'NULL')},
           second_secret_hash = ${secondPart('second_secret_hash')},
           second_secret_id = ${secondPart('second_secret_id')},
           second_secret_hint = ${secondPart('second_secret_hint')},
           second_secret_created_at = ${secondPart('second_secret_created_at')},
           second_secret_used_at = ${secondPart('second_secret_used_at')},
           description = CASE WHEN $8::boolean THEN $9 ELSE description END,
           terms_url = CASE WHEN $10::boolean THEN $11 ELSE terms_url END,
           privacy_url = CASE WHEN $12::boolean THEN $13 ELSE privacy_url END,
           icon = CASE WHEN $14::boolean THEN $15 ELSE icon END
     WHERE id = $1
    RETURNING *),
  queued AS (
    INSERT INTO picture_changes (application_id, hash, upload_id, next_attempt_at)
    SELECT id, icon, $16::text, ${NEXT_ATTEMPT('$17')} FROM changed WHERE $14::boolean)
  SELECT ${APPLICATION_COLUMNS}, client_secret_hash IS NOT DISTINCT FROM $7 AS is_new_secret_used
    FROM changed`;

type ApplicationRow = Omit<Application, 'id' | 'owner_id' | 'public'> & {
  readonly id: bigint;
  readonly owner_id: bigint;
  readonly client_secret_hash: Uint8Array | null;
};

function applicationOf(row: ApplicationRow): Application {
  return {
    id: String(row.id),
    owner_id: String(row.owner_id),
    name: row.name,
    icon: row.icon,
    description: row.description,
    terms_url: row.terms_url,
    privacy_url: row.privacy_url,
    redirect_uris: row.redirect_uris,
    bot_public: row.bot_public,
    bot_require_code_grant: row.bot_require_code_grant,
    created_at: row.created_at,
    public: row.client_secret_hash === null,
  };
}
