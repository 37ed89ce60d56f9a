import type { Handlers } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { createBot } from './create-bot.ts';
import { getCurrentUser } from './get-current-user.ts';
import { getUsers } from './get-users.ts';
import { identify } from './identify.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { register } from './register.ts';

export const authHandlers = (deps: Deps): Handlers<typeof AuthServiceDefinition> => ({
  register: register(deps),
  login: login(deps),
  logout: logout(deps),
  identify: identify(deps),
  getCurrentUser: getCurrentUser(deps),
  getUsers: getUsers(deps),
  createBot: createBot(deps),
});
