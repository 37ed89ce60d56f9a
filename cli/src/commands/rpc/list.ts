import { printLine, type Runtime } from '../../runtime.ts';
import { findName, loadContracts } from './contracts.ts';

/** Prints the methods of all services, or of one. */
export function list(
  name: string | undefined,
  { json }: { readonly json?: boolean },
  runtime: Runtime,
): void {
  const { services } = loadContracts();
  const names = [...services.keys()].sort();
  const methods = (name === undefined ? names : [findName(names, name)]).flatMap((service) =>
    Object.keys(services.get(service) ?? {}).map((method) => `${service}/${method}`),
  );
  if (json) printLine(runtime, JSON.stringify(methods));
  else for (const method of methods) printLine(runtime, method);
}
