import type { Route } from '../route.ts';
import { authRoutes } from './auth.ts';
import { chatRoutes } from './chat.ts';
import { inviteRoutes } from './invites.ts';
import { memberRoutes } from './members.ts';
import { oauth2Routes } from './oauth2.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';

/** The route table: every operation under /api/v1. `npm run gatehouse -- routes` prints it. */
export const ROUTES: readonly Route[] = [
  ...authRoutes,
  ...userRoutes,
  ...oauth2Routes,
  ...chatRoutes,
  ...memberRoutes,
  ...inviteRoutes,
  ...webhookRoutes,
];
