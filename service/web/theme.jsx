// Light or dark: as the system says, until somebody chooses.
import { useEffect, useState } from 'preact/hooks';

const system = matchMedia('(prefers-color-scheme: dark)');
const STORE = 'hushwalk.theme';

export function Theme() {
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORE) ?? '');
  const [dark, setDark] = useState(system.matches);
  useEffect(() => {
    const follow = () => setDark(system.matches);
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    if (chosen) document.documentElement.dataset.theme = chosen;
  }, [chosen]);
  const other = (chosen || (dark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
  function change() {
    localStorage.setItem(STORE, other);
    setChosen(other);
  }
  return <button type="button" class="theme" aria-label={`Switch to ${other} colours`} onClick={change}>{other === 'dark' ? '☾' : '☀'}</button>;
}
