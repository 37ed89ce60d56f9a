import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type Records = PrismaClient;

/** Prisma on the pool of the other statements; it ends with the pool. */
export function openRecords(db: Pool): Records {
  return new PrismaClient({ adapter: new PrismaPg(db), errorFormat: 'minimal' });
}
