// Small parts that several views use.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { epsilon } from './words.js';

// A node's name as it is: isolated, so that right-to-left names do not turn round what stands beside them.
export const Name = ({ of }) => <bdi>{String(of)}</bdi>;

export function Trouble({ problem, again }) {
  if (!problem) return null;
  return <div class="problem" role="alert">
    <strong>{problem.title ?? 'That did not work'}</strong>
    {problem.message !== problem.title && <span>{problem.message} </span>}
    {problem.remedy && <span>{problem.remedy} </span>}
    {again && <button type="button" class="link" onClick={again}>Try again</button>}
  </div>;
}

// A budget: what is spent, what the question would add, what is left.
export function Gauge({ spent, next = 0, limit, of = 'budget' }) {
  if (limit === 'inf') return <p class="small">{epsilon(spent)} spent; this {of} has no limit.</p>;
  const share = (value) => `${Math.min(100, Math.max(0, (100 * value) / limit))}%`;
  const left = Math.max(0, limit - spent), fits = next <= left + 1e-9;
  const after = Math.max(0, left - next);
  const words = `${epsilon(spent)} of ${epsilon(limit)} spent${next ? `, ${epsilon(next)} for this question` : ''}, ${epsilon(after)} left`;
  return <div class="gauge">
    <div role="meter" aria-label={`The ${of}`} aria-valuemin={0} aria-valuemax={limit} aria-valuenow={Math.min(limit, spent + next)} aria-valuetext={words}>
      <svg aria-hidden="true"><rect class="spent" width={share(spent)} height="14" /><rect class={fits ? 'next' : 'over'} x={share(spent)} width={share(fits ? next : left)} height="14" /></svg>
    </div>
    <ul class="legend">
      <li class="mark-spent">{epsilon(spent)} spent</li>
      {next > 0 && <li class="mark-next">{epsilon(next)} this question</li>}
      <li class="mark-left">{epsilon(after)} {next > 0 ? 'left after it' : 'left'} of {epsilon(limit)}</li>
    </ul>
  </div>;
}

// Loads once and whenever `what` changes; the answer to an older question is dropped.
export function useLoaded(load, what) {
  const [state, setState] = useState({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ value: old.value, loading: true }));
    load(stop.signal).then(
      (value) => { if (!stop.signal.aborted) setState({ value }); },
      (problem) => { if (!stop.signal.aborted) setState({ problem }); });
    return () => stop.abort();
  }, [...what, tries]);
  return { ...state, again: () => setTries(tries + 1) };
}

// How wide an element is, in pixels, so that drawings have letters of one size on every screen.
export function useWidth() {
  const element = useRef();
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([{ contentRect }]) => setWidth(contentRect.width));
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, width];
}

export function useFocus(when) {
  const element = useRef();
  useEffect(() => { if (when) element.current?.focus({ preventScroll: false }); }, [when]);
  return element;
}
