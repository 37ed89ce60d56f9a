import { defineConfig } from 'prisma/config';

/** Prisma only generates its client here: it never connects, and never migrates. */
export default defineConfig({ schema: 'schema.prisma' });
