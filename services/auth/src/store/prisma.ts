import { prismaOptions } from '@gatehouse/kit/db/prisma';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type { PrismaClient };

/** Prisma on the pool of the prepared statements. */
export function openPrisma(db: Pool): PrismaClient {
  return new PrismaClient(prismaOptions(db));
}
