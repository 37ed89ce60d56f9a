import { Fault, Status } from '@gatehouse/kit/fault';

/** Every method answers that it is not served here. */
export function absentHandlers<M extends object>(methods: M): Record<keyof M, () => never> {
  const absent = () => {
    throw fault(Status.UNIMPLEMENTED, 'UNIMPLEMENTED');
  };
  return Object.fromEntries(Object.keys(methods).map((name) => [name, absent])) as Record<
    keyof M,
    () => never
  >;
}

/** A fault as a neighbour would answer it. */
export function fault(status: Status, reason: string): Fault {
  return new Fault({ status, reason, message: 'As a neighbour would say it.' });
}
