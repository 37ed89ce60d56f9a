import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** The settings that an owner can change. */
export interface ApplicationSettings {
  readonly name: string;
  readonly redirect_uris: string[];
  readonly bot_public: boolean;
  readonly bot_require_code_grant: boolean;
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
  client_secret_hash: Uint8Array,
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
    omit: { client_secret_hash: true },
  });
  return found.map(withTextIds);
}

export async function findApplication(prisma: PrismaClient, id: string): Promise<Application | undefined> {
  const found = await prisma.application.findUnique({
    where: { id: BigInt(id) },
    omit: { client_secret_hash: true },
  });
  return found === null ? undefined : withTextIds(found);
}

/** Applies changes. Undefined if there is no such application. */
export async function changeApplication(
  prisma: PrismaClient,
  id: string,
  changes: Partial<ApplicationSettings & { readonly client_secret_hash: Uint8Array<ArrayBuffer> }>,
): Promise<Application | undefined> {
  const changed = await prisma.application.updateManyAndReturn({
    where: { id: BigInt(id) },
    data: changes,
    omit: { client_secret_hash: true },
  });
  return changed.map(withTextIds)[0];
}

function withTextIds<R extends { id: bigint; owner_id: bigint }>(
  row: R,
): R & { id: string; owner_id: string } {
  return { ...row, id: String(row.id), owner_id: String(row.owner_id) };
}
