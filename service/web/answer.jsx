// A ranking: the list with its noise, and a picture made of the list alone.
import { useMemo } from 'preact/hooks';
import { forceCollide, forceRadial, forceSimulation } from 'd3-force';
import { Name } from './parts.jsx';
import { plural, score } from './words.js';

// Where the noise cannot have made the order: the next score is further away than the noise of both.
function clearGaps(top) {
  const noise = (row) => row.noise_sd ?? 0;
  return top.flatMap((row, place) => (place + 1 < top.length && row.score - noise(row) > top[place + 1].score + noise(top[place + 1]) ? [place + 1] : []));
}

function aboutOrder(top) {
  if (!top.some((row) => row.noise_sd > 0)) return '';
  const gaps = clearGaps(top);
  if (gaps.length === 0) return 'No two neighbours in this list are further apart than their noise: take it as a shortlist, not as an order.';
  if (gaps.length === top.length - 1) return 'All places are further apart than their noise.';
  const places = gaps.length === 1 ? `place ${gaps[0]}` : `places ${gaps.slice(0, -1).join(', ')} and ${gaps.at(-1)}`;
  return `There is a gap wider than the noise after ${places}; elsewhere the order of neighbours may be chance.`;
}

function Bar({ row, least, most }) {
  const x = (value) => `${(100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least)}%`;
  const from = x(Math.min(0, row.score)), noise = row.noise_sd ?? 0;
  return <svg aria-hidden="true">
    <rect class="bar" x={from} y="15%" height="70%" width={`${parseFloat(x(Math.max(0, row.score))) - parseFloat(from)}%`} rx="2" />
    {noise > 0 && <g class="noise">
      <line x1={x(row.score - noise)} x2={x(row.score + noise)} y1="50%" y2="50%" />
      {[-1, 1].map((side) => <line x1={x(row.score + side * noise)} x2={x(row.score + side * noise)} y1="28%" y2="72%" />)}
    </g>}
  </svg>;
}

export function Ranking({ top }) {
  const noisy = top.some((row) => row.noise_sd > 0);
  const most = Math.max(1e-12, ...top.map((row) => row.score + (row.noise_sd ?? 0)));
  const least = Math.min(0, ...top.map((row) => row.score - (row.noise_sd ?? 0)));
  return <>
    <ol class="ranking">
      {top.map((row, place) => <li key={String(row.node)}>
        <span class="place" aria-hidden="true">{place + 1}</span>
        <span class="name"><Name of={row.node} /></span>
        <Bar row={row} least={least} most={most} />
        <span class="number"><span class="unseen">score </span>{score(row.score)}{noisy && <span> <span aria-hidden="true">±</span><span class="unseen">noise </span>{score(row.noise_sd ?? 0)}</span>}</span>
      </li>)}
    </ol>
    <p class="hint">{noisy
      ? <>The line at the end of a bar is the noise that was added on purpose, one standard deviation to either side. {aboutOrder(top)}</>
      : 'This answer comes without a size of its noise: the numbers behind it are noisy all the same.'}</p>
  </>;
}

const SIZE = 340, MIDDLE = SIZE / 2, NEAR = 58, FAR = 142;

function layout(top) {
  const best = Math.max(1e-12, top[0].score);
  const area = (value) => 5 + 17 * Math.sqrt(Math.max(0, value) / best);
  const nodes = top.map((row, place) => {
    const distance = NEAR + (FAR - NEAR) * (1 - Math.max(0, row.score) / best), angle = place * 2.39996;  // the golden angle
    return { row, distance, size: area(row.score), halo: area(row.score + (row.noise_sd ?? 0)), x: MIDDLE + distance * Math.cos(angle), y: MIDDLE + distance * Math.sin(angle) };
  });
  const middle = { fx: MIDDLE, fy: MIDDLE, x: MIDDLE, y: MIDDLE, size: 20, halo: 20, distance: 0 };
  forceSimulation([middle, ...nodes])
    .force('ring', forceRadial((node) => node.distance, MIDDLE, MIDDLE).strength(0.9))
    .force('apart', forceCollide((node) => node.size + 7).iterations(3))
    .stop().tick(240);
  const inside = (value) => Math.min(SIZE - 24, Math.max(24, value));
  for (const node of nodes) Object.assign(node, { x: inside(node.x), y: inside(node.y) });
  return nodes;
}

const short = (name) => (name.length > 12 ? `${name.slice(0, 11)}…` : name);

// Neither edges nor neighbours are drawn: nothing that is not in the list.
export function Picture({ seed, top }) {
  const nodes = useMemo(() => layout(top.slice(0, 24)), [top]);
  return <figure class="card figure">
    <h2>The answer as a picture</h2>
    <svg class="picture" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={`${seed} in the middle, and ${plural(nodes.length, 'node')} of the answer around it, the higher the score the nearer and larger. The list has the same in numbers.`}>
      {[NEAR, (NEAR + FAR) / 2, FAR].map((radius) => <circle class="ring" cx={MIDDLE} cy={MIDDLE} r={radius} />)}
      {nodes.map(({ x, y, halo }) => <circle class="halo" cx={x} cy={y} r={halo} />)}
      {nodes.map(({ row, x, y, size }) => <circle class="node" cx={x} cy={y} r={size}><title>{`${row.node}: ${score(row.score)}`}</title></circle>)}
      <circle class="seed" cx={MIDDLE} cy={MIDDLE} r="9" />
      {nodes.map(({ row, x, y, size }) => <text x={x} y={size > 14 && String(row.node).length < 4 ? y + 4 : y + size + 11}>{short(String(row.node))}</text>)}
      <text class="of-seed" x={MIDDLE} y={MIDDLE + 22}>{short(String(seed))}</text>
    </svg>
    <figcaption class="hint">Drawn from the list alone: nearer and larger is higher, a pale rim is noise. Who stands beside whom means nothing; no link of the graph is shown.</figcaption>
  </figure>;
}
