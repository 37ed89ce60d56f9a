import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** The settings that an owner can change. */
export interface ApplicationSettings {
  readonly name: string;
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
}

/** Turns a reservation into an application. Returns false, without any change, if the reservation has expired. */
export async function insertApplication(
  db: Pool,
  application: Application,
  /** Null for a public client. */
  client_secret_hash: Uint8Array | null,
): Promise<boolean> {
  const { rowCount } = await db.query({
    // The bot of an expired reservation will be deleted.
    text: `WITH reservation AS (
             DELETE FROM application_reservations WHERE id = $1 AND owner_id = $2 AND expires_at > now()
             RETURNING id, owner_id
           ), used AS (
             DELETE FROM unmade_bots USING reservation WHERE application_id = reservation.id
           )
           INSERT INTO applications
             (id, owner_id, name, redirect_uris, bot_public, bot_require_code_grant, client_secret_hash)
           SELECT id, owner_id, $3::text, $4::text[], $5::boolean, $6::boolean, $7::bytea FROM reservation`,
    values: [
      application.id,
      application.owner_id,
      application.name,
      application.redirect_uris,
      application.bot_public,
      application.bot_require_code_grant,
      client_secret_hash,
    ],
  });
  return rowCount === 1;
}

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
  changes: Partial<ApplicationSettings>,
  new_secret_hash: Uint8Array,
): Promise<ChangedApplication | undefined> {
  const { rows } = await db.query<Application & { readonly is_new_secret_used: boolean }>({
    name: 'change_application',
    text: `UPDATE applications
              SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
                  bot_public = coalesce($4, bot_public),
                  bot_require_code_grant = coalesce($5, bot_require_code_grant),
                  client_secret_hash = CASE $6::boolean WHEN true THEN NULL
                    WHEN false THEN coalesce(client_secret_hash, $7) ELSE client_secret_hash END
            WHERE id = $1
        RETURNING id, owner_id, name, redirect_uris, bot_public, bot_require_code_grant,
                  client_secret_hash IS NULL AS public,
                  client_secret_hash IS NOT DISTINCT FROM $7 AS is_new_secret_used`,
    values: [
      id,
      changes.name ?? null,
      changes.redirect_uris ?? null,
      changes.bot_public ?? null,
      changes.bot_require_code_grant ?? null,
      changes.public ?? null,
      new_secret_hash,
    ],
  });
  return rows.map(({ is_new_secret_used: isNewSecretUsed, ...application }) => ({
    application,
    isNewSecretUsed,
  }))[0];
}

/** Replaces the client secret. Undefined if there is no such application, or it is a public client. */
export async function replaceClientSecret(
  prisma: PrismaClient,
  id: string,
  client_secret_hash: Uint8Array<ArrayBuffer>,
): Promise<Application | undefined> {
  const changed = await prisma.application.updateManyAndReturn({
    where: { id: BigInt(id), client_secret_hash: { not: null } },
    data: { client_secret_hash },
  });
  return changed.map(applicationOf)[0];
}

interface ApplicationRow extends Omit<Application, 'id' | 'owner_id' | 'public'> {
  readonly id: bigint;
  readonly owner_id: bigint;
  readonly client_secret_hash: Uint8Array | null;
}

function applicationOf({ id, owner_id, client_secret_hash, ...row }: ApplicationRow): Application {
  return { ...row, id: String(id), owner_id: String(owner_id), public: client_secret_hash === null };
}
