import { useEffect, useState } from 'preact/hooks';
import { Select } from '../../shared/ui/select.tsx';

const THEMES = [
  { value: 'light dark', text: 'As the system' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
];
const DIRECTIONS = [
  { value: 'ltr', text: 'Left to right' },
  { value: 'rtl', text: 'Right to left' },
];

/** Shows the page in another theme and direction. */
export function Appearance() {
  const [theme, setTheme] = useState('light dark');
  const [direction, setDirection] = useState(document.documentElement.dir || 'ltr');
  useEffect(() => {
    document.documentElement.style.colorScheme = theme;
    document.documentElement.dir = direction;
  }, [theme, direction]);
  return (
    <div class="groups">
      <Select label="Theme" value={theme} onValue={setTheme} options={THEMES} />
      <Select label="Direction" value={direction} onValue={setDirection} options={DIRECTIONS} />
    </div>
  );
}
