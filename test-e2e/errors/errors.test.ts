import { useAnyStack } from '../support/stack.ts';
import { bodies } from './bodies.ts';
import { brokenHttp } from './broken-http.ts';
import { credentials } from './credentials.ts';
import { headers } from './headers.ts';
import { wrongIds } from './ids.ts';

const stack = useAnyStack();

wrongIds(stack);
credentials(stack);
bodies(stack);
headers(stack);
brokenHttp(stack);
