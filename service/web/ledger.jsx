// The budget over time, for who keeps it.
import { DAY, projection, steps } from './pace.js';
import { Gauge, Name, Trouble, useLoaded, useWidth } from './parts.jsx';
import { clock, count, day, epsilon, moment, plural } from './words.js';

const SECOND = 1000;  // milliseconds

function OverTime({ points, limit, now, end }) {
  const [box, width] = useWidth();
  const left = 40, right = 14, top = 20, height = 240, bottom = height - 26;
  const first = points[0].at, last = Math.min(end ?? now, now + 2 * Math.max(now - first, SECOND)) + 1;  // twice as far ahead as behind
  const name = (at) => (last - first < 2 * DAY ? clock(at) : day(at));
  const most = Math.max(Number.isFinite(limit) ? limit : 0, points.at(-1).spent) * 1.04;
  const x = (at) => left + ((width - left - right) * (at - first)) / (last - first);
  const y = (spent) => bottom - ((bottom - top) * spent) / most;
  const line = points.map(({ at, spent }, place) => `${place ? `H${x(at).toFixed(1)}` : `M${x(at).toFixed(1)} ${y(points[0].before).toFixed(1)}`}V${y(spent).toFixed(1)}`).join('') + `H${x(now).toFixed(1)}`;
  const spent = points.at(-1).spent;
  const endHere = end && end <= last + 1;
  return <div ref={box}>
    <svg class="time" role="img" aria-label={`Spent so far: ${epsilon(spent)} in ${plural(points.length, 'charge')} since ${day(first)}.`}>
      <line class="axis" x1={left} x2={width - right} y1={bottom} y2={bottom} />
      <path class="area" d={`${line}V${bottom}H${left}Z`} />
      {Number.isFinite(limit) && <g><line class="limit" x1={left} x2={width - right} y1={y(limit)} y2={y(limit)} /><text class="limit-name" x={left + 4} y={y(limit) - 6}>budget {epsilon(limit)}</text></g>}
      {end > now && <path class="coming" d={`M${x(now)} ${y(spent)}L${x(endHere ? end : last)} ${y(endHere ? limit : spent + ((limit - spent) * (last - now)) / (end - now))}`} />}
      <path class="spent" d={line} />
      <text x={left - 6} y={bottom + 4} text-anchor="end">0</text>
      <text x={left - 6} y={y(spent) + 4} text-anchor="end">{epsilon(Number(spent.toPrecision(3)))}</text>
      <text x={left} y={height - 6}>{name(first)}</text>
      {last > now + 1 && x(now) > left + 150 && x(now) < width - 150 && <text x={x(now)} y={height - 6} text-anchor="middle">now</text>}
      <text x={width - right} y={height - 6} text-anchor="end">{last > now + 1 ? name(last) : 'now'}</text>
    </svg>
  </div>;
}

const Recipients = ({ recipients, total }) => <div class="scroll" tabIndex={0} role="region" aria-label="Per recipient"><table>
  <thead><tr><th>Recipient</th><th class="number">Answers</th><th class="number">Spent</th><th class="number">Of</th><th><span class="unseen">Share of it</span></th></tr></thead>
  <tbody>{recipients.map((one) => {
    const limit = one.epsilon === 'inf' ? total : one.epsilon;
    return <tr key={one.recipient}><td>{one.recipient ? <Name of={one.recipient} /> : <span class="quiet">nobody in particular</span>}</td>
      <td class="number">{count(one.releases)}</td><td class="number">{epsilon(one.spent)}</td><td class="number">{epsilon(one.epsilon)}</td>
      <td class="fill"><svg aria-hidden="true"><rect height="10" width={`${Number.isFinite(limit) ? Math.min(100, (100 * one.spent) / limit) : 0}%`} /></svg></td></tr>;
  })}</tbody>
</table></div>;

function Books({ ledger, clock: own }) {
  const limit = ledger.epsilon === 'inf' ? Infinity : ledger.epsilon;
  const points = steps(ledger), now = Math.max(own, points.at(-1)?.at ?? 0);  // this clock may be behind the service's
  const ahead = projection(points, ledger.spent, limit, now);
  return <>
    <dl class="figures">
      <div><dt>Spent</dt><dd>{epsilon(ledger.spent)}<small>of {epsilon(ledger.epsilon)}, in {plural(ledger.releases, 'release')}</small></dd></div>
      <div><dt>Left</dt><dd>{epsilon(ledger.left)}<small>{ledger.delta ? `with δ = ${ledger.delta}` : 'pure: without a δ'}</small></dd></div>
      <div><dt>The budget ends</dt><dd>{!ahead ? '—' : ahead.over ? 'now' : ahead.end > now + 3650 * DAY ? 'in over 10 years' : day(ahead.end)}
        <small>{!ahead ? 'nothing to go by yet' : ahead.over ? 'all of it is spent' : `if it goes on as since ${day(points[0].at)}: ${epsilon(Number(ahead.pace.toPrecision(3)))} a day`}</small></dd></div>
      <div><dt>Recipients</dt><dd>{count(ledger.recipient_count ?? ledger.recipients.length)}<small>{ledger.unfinished ? `${plural(ledger.unfinished, 'answer')} charged and not finished` : 'every charge has its answer'}</small></dd></div>
    </dl>
    <section class="card stack"><h2>Over time</h2>
      {points.length ? <OverTime points={points} limit={limit} now={now} end={ahead?.over ? undefined : ahead?.end} /> : <p class="quiet">Nothing was charged yet.</p>}
      {ledger.delta > 0 && <p class="hint">The steps are plain sums; with δ the ledger counts less, {epsilon(ledger.spent)}: many small releases cost less together.</p>}
      {ledger.period && <Gauge spent={ledger.period.spent} limit={ledger.period.epsilon} of={`budget of this period, until ${day(ledger.period.ends)}`} />}
    </section>
    <section class="card stack"><h2>Per recipient</h2>
      {ledger.recipients.length ? <Recipients recipients={ledger.recipients} total={limit} /> : <p class="quiet">Nobody has an account yet.</p>}
      {ledger.recipient_count > ledger.recipients.length && <p class="hint">These {count(ledger.recipients.length)} have spent the most, of {count(ledger.recipient_count)} in all; the others are not shown.</p>}
      <p class="hint">Published: {epsilon(ledger.published.spent)}, which every recipient sees. Last entry {moment(ledger.updated)}; head <code>{ledger.head.slice(0, 16)}…</code></p>
    </section>
  </>;
}

export function Ledger({ graphs, question, setQuestion, api }) {
  const { value: ledger, problem, again } = useLoaded((signal) => api.ledger(question.graph, signal), [question.graph]);
  return <div class="stack">
    <div class="row apart"><h1>The budget</h1>
      {graphs.length === 1 && <span class="quiet">{graphs[0].title || graphs[0].name}</span>}
      {graphs.length > 1 && <select aria-label="Graph" class="fit" value={question.graph} onChange={(event) => setQuestion({ ...question, graph: event.currentTarget.value, asked: false })}>
        {graphs.map(({ name, title }) => <option key={name} value={name}>{title || name}</option>)}</select>}</div>
    <Trouble problem={problem} again={again} />
    {!problem && !ledger && <p class="quiet" role="status">Reading the ledger…</p>}
    {ledger && <Books ledger={ledger} clock={Date.now()} />}
  </div>;
}
