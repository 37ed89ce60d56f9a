import { Select } from '@gatehouse/web/shared/ui/select.tsx';
import { ROLE_TEXTS, ROLES, type Role } from '../api/roles.ts';

/** Chooses a role. */
export function RoleSelect(props: {
  role: Role;
  setRole: (role: Role) => void;
  problem: string | undefined;
}) {
  const { role, setRole, problem } = props;
  return (
    <Select
      label="Role"
      value={role}
      onValue={(value) => {
        const chosen = ROLES.find((one) => one === value);
        if (chosen) setRole(chosen);
      }}
      options={ROLES.map((one) => ({ value: one, text: ROLE_TEXTS[one] }))}
      problem={problem === undefined ? undefined : { text: problem }}
    />
  );
}
