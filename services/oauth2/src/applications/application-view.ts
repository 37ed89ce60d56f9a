import type {
  ApplicationSummary,
  Application as ApplicationView,
  Bot,
  PublicApplication,
} from '@gatehouse/proto/oauth2';
import type { Application } from '../store/applications.ts';
import { SCOPES } from '../tokens/scopes.ts';

/** An application as shown to its owner (docs/oauth2.md#application-object). */
export function ownedApplication(application: Application, bot: Bot | undefined): ApplicationView {
  return {
    id: application.id,
    name: application.name,
    icon: null,
    description: null,
    redirect_uris: application.redirect_uris,
    bot_public: application.bot_public,
    bot_require_code_grant: application.bot_require_code_grant,
    flags: 0,
    bot: bot ?? null,
    public: application.public,
  };
}

/** An application as shown to everybody (docs/oauth2.md#public-application). */
export function publicApplication(application: Application, bot: Bot | undefined): PublicApplication {
  return {
    id: application.id,
    name: application.name,
    icon: null,
    description: null,
    bot_public: application.bot_public,
    bot_require_code_grant: application.bot_require_code_grant,
    scopes: [...SCOPES],
    bot: bot ?? null,
  };
}

/** An application as shown to holders of its tokens (docs/oauth2.md#application-summary). */
export function applicationSummary({
  id,
  name,
  bot_public,
  bot_require_code_grant,
}: Pick<Application, 'id' | 'name' | 'bot_public' | 'bot_require_code_grant'>): ApplicationSummary {
  return { id, name, icon: null, description: null, bot_public, bot_require_code_grant, flags: 0 };
}
