import type { User } from '@gatehouse/proto/auth';
import type {
  ApplicationSummary,
  Application as ApplicationView,
  Bot,
  PublicApplication,
  PublicOwner,
} from '@gatehouse/proto/oauth2';
import type { Application } from '../store/application.ts';
import { SCOPES } from '../tokens/scopes.ts';

/** An application as shown to its owner (docs/oauth2.md#application-object). */
export function ownedApplication(application: Application, bot: Bot | undefined): ApplicationView {
  return {
    id: application.id,
    name: application.name,
    icon: application.icon,
    description: application.description,
    redirect_uris: application.redirect_uris,
    bot_public: application.bot_public,
    bot_require_code_grant: application.bot_require_code_grant,
    flags: 0,
    bot: bot ?? null,
    public: application.public,
    ...details(application),
  };
}

/** An application as shown to everybody (docs/oauth2.md#public-application). */
export function publicApplication(
  application: Application,
  bot: Bot | undefined,
  owner: User | undefined,
): PublicApplication {
  return {
    id: application.id,
    name: application.name,
    icon: application.icon,
    description: application.description,
    bot_public: application.bot_public,
    bot_require_code_grant: application.bot_require_code_grant,
    scopes: [...SCOPES],
    bot: bot ?? null,
    ...details(application),
    owner: owner === undefined ? null : publicOwner(owner),
  };
}

function details({ terms_url, privacy_url, created_at }: Application) {
  return { terms_url, privacy_url, created_at: created_at.toISOString() };
}

function publicOwner({ id, username, global_name, avatar }: User): PublicOwner {
  return { id, username, global_name, avatar };
}

/** An application as shown to holders of its tokens (docs/oauth2.md#application-summary). Icon and description are always null there. */
export function applicationSummary({
  id,
  name,
  bot_public,
  bot_require_code_grant,
}: Pick<Application, 'id' | 'name' | 'bot_public' | 'bot_require_code_grant'>): ApplicationSummary {
  return { id, name, icon: null, description: null, bot_public, bot_require_code_grant, flags: 0 };
}
