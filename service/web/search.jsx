// A field that finds nodes by the beginning of their names: the combobox pattern of WAI-ARIA.
import { useEffect, useId, useState } from 'preact/hooks';
import { Name } from './parts.jsx';

const PAUSE = 120;  // milliseconds without a key before it searches

export function Search({ label, hint, value, find, onChoose }) {
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const [found, setFound] = useState([]);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [problem, setProblem] = useState();
  const id = useId();

  useEffect(() => { if (value !== undefined) setText(String(value)); }, [value]);  // none is chosen while somebody types
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const timer = setTimeout(() => find(text, stop.signal).then(
      (nodes) => { setFound(nodes); setProblem(); setAt(nodes.length && text ? 0 : -1); },
      (error) => { if (error.name !== 'AbortError') { setFound([]); setProblem(error); } }), PAUSE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [text, open]);

  function choose(node) {
    setText(String(node));
    setOpen(false);
    onChoose(node);
  }
  function type(event) {
    setText(event.currentTarget.value);
    setOpen(true);
    onChoose(undefined);
  }
  function key(event) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return setOpen(true);
      if (found.length) setAt((at + (event.key === 'ArrowDown' ? 1 : found.length - 1 + (at < 0))) % found.length);
    } else if (event.key === 'Enter' && open && at >= 0) {
      event.preventDefault();
      choose(found[at]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      setOpen(false);
    }
  }
  useEffect(() => { document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }); }, [at]);

  const shown = open && found.length > 0;
  return <div class="field">
    <label for={id}>{label}</label>
    <div class="search">
      <input id={id} type="text" role="combobox" autocomplete="off" spellcheck={false} aria-autocomplete="list" aria-expanded={shown}
        aria-controls={`${id}-list`} aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined} aria-describedby={`${id}-hint`}
        placeholder="Type the beginning of a name" value={text} onInput={type} onKeyDown={key} onFocus={() => setOpen(value === undefined)} onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)} />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!shown}>
        {found.map((node, place) => <li key={String(node)} id={`${id}-${place}`} role="option" aria-selected={place === at}
          onMouseDown={(event) => { event.preventDefault(); choose(node); }} onMouseMove={() => setAt(place)}><Name of={node} /></li>)}
      </ul>
    </div>
    <p id={`${id}-hint`} class="hint">{problem ? problem.message : open && text && !found.length ? 'No node begins like this.' : hint}</p>
    <p class="unseen" role="status">{shown ? `${found.length} found` : ''}</p>
  </div>;
}
