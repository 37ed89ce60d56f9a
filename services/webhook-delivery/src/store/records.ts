import { recordsOptions } from '@gatehouse/kit/db/records';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type Records = PrismaClient;

/** Prisma on the pool of the prepared SQL; it ends with the pool. */
export function openRecords(db: Pool): Records {
  return new PrismaClient(recordsOptions(db));
}
