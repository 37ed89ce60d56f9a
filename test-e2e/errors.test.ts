import { bodies } from './errors/bodies.ts';
import { brokenHttp } from './errors/broken-http.ts';
import { credentials } from './errors/credentials.ts';
import { editRules } from './errors/edit.ts';
import { executeRules } from './errors/execute.ts';
import { forms } from './errors/forms.ts';
import { headers } from './errors/headers.ts';
import { wrongIds } from './errors/ids.ts';
import { mentions } from './errors/mentions.ts';
import { tokenRoutes } from './errors/token-routes.ts';
import { useAnySuite } from './support/suite.ts';

const suite = useAnySuite();

wrongIds(suite);
credentials(suite);
tokenRoutes(suite);
bodies(suite);
forms(suite);
executeRules(suite);
editRules(suite);
mentions(suite);
headers(suite);
brokenHttp(suite);
