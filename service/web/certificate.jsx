// The certificate in plain words, and why it holds, down to the theorem.
import { useState } from 'preact/hooks';
import { Trouble, useLoaded } from './parts.jsx';
import { epsilon, moment, sentence } from './words.js';

const withoutPaths = (text) => text.replace(/ ?\(docs\/math\/[^)]*\)/g, '');
const cited = (text) => [...text.matchAll(/docs\/math\/(\d\d)[\w-]*\.md(?:, "([^"]+)")?/g)];
const factor = (value) => (Math.exp(value) < 1e6 ? Math.exp(value).toPrecision(3) : Math.exp(value).toExponential(1));

const Promises = ({ certificate }) => {
  const { words, delta } = certificate;
  const rows = [
    ['Protected', sentence(words.protects)],
    ['How well', `ε = ${epsilon(certificate.epsilon)}${delta > 0 ? `, δ = ${delta}` : ', without a chance of failure'}. ${sentence(words.meaning)}`],
    ['For whom', sentence(words.audience)],
    ['If people pool answers', sentence(words.pooling)],
    ['Who keeps count', sentence(words.counted)],
    ['Who says so', sentence(words.issued)],
  ].filter(([, text]) => text);
  return <dl class="promise">
    {rows.map(([name, text]) => <div><dt>{name}</dt><dd>{text}</dd></div>)}
    <div><dt>What must be true</dt><dd><ul>{words.assumptions.map((text) => <li>{sentence(text)}</li>)}</ul></dd></div>
  </dl>;
};

// Two Laplace laws, one for each world, as far apart as the promise allows.
function Worlds({ loss }) {
  const width = 520, height = 130, reach = 5 + loss / 2, x = (value) => (width * (value + reach)) / (2 * reach);
  const curve = (at) => Array.from({ length: 241 }, (_, step) => {
    const value = -reach + (2 * reach * step) / 240;
    return `${step ? 'L' : 'M'}${x(value).toFixed(1)} ${(height - 8 - (height - 16) * Math.exp(-Math.abs(value - at))).toFixed(1)}`;
  }).join('');
  return <>
    <svg class="worlds" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Two bell-like curves with pointed tops, shifted by ${epsilon(loss)} times the scale of the noise: nowhere is one higher than ${factor(loss)} times the other.`}>
      <line class="axis" x1="0" x2={width} y1={height - 8} y2={height - 8} />
      <path class="without" d={curve(-loss / 2)} /><path class="with" d={curve(loss / 2)} />
    </svg>
    <ul class="legend"><li class="mark-without">without the link</li><li class="mark-with">with it</li></ul>
  </>;
}

const Noise = ({ noise }) => <div class="scroll" tabIndex={0} role="region" aria-label="Noise"><table>
  <thead><tr><th>On</th><th class="number">Laplace scale</th><th class="number">Draws each</th></tr></thead>
  <tbody>{noise.map((use) => <tr><td>{use.on}</td>
    <td class="number">{use.flip_probability ? `flipped with probability ${use.flip_probability.toPrecision(4)}` : use.laplace_scale.toPrecision(5)}</td>
    <td class="number">{use.draws}</td></tr>)}</tbody>
</table></div>;

// The text of a note is the repository's own, made into HTML when the program was built.
const Text = ({ html }) => <div dangerouslySetInnerHTML={{ __html: html }} />;
const Note = ({ note, section }) => <div class="theorem">
  <h4>{note.title}</h4>
  <Text html={note.statement} />
  {note.parts[section] && <><h4>{section}</h4><Text html={note.parts[section]} /></>}
  {note.conditions && <details><summary>When it may be used</summary><Text html={note.conditions} /></details>}
  <p class="hint">The proof is in docs/math/{note.file}.</p>
</div>;

function Machine({ names, proofs }) {
  if (!names?.length) return <p>The proof of this one is on paper: no machine has checked it yet.</p>;
  return <>
    <p>Not by trust alone: the proof assistant Coq has checked {names.length > 1 ? 'these theorems' : 'this theorem'}, line by line.</p>
    {names.map((name) => <details><summary><code>{name}</code></summary>
      {proofs[name] && <><pre tabIndex={0}>{proofs[name].statement}</pre><pre tabIndex={0}>{proofs[name].words}</pre></>}
      <p class="hint">Statement and proof are in proofs/{name.split('.')[0]}.v.</p></details>)}
  </>;
}

function Why({ certificate, api }) {
  const { value: theorems, problem, again } = useLoaded(api.theorems, []);
  const { guarantee, noise, sensitivity, sensitivity_bound, theorem, delta } = certificate;
  if (problem) return <Trouble problem={problem} again={again} />;
  if (!theorems) return <p class="quiet" role="status">Fetching the theorems…</p>;
  const notes = new Map(cited(`${theorem} ${sensitivity_bound}`).filter(([, number]) => theorems.notes[number]).map(([, number, section]) => [number, section]));
  const laplace = delta === 0 && noise.every((use) => use.laplace_scale);
  return <ol class="steps">
    <li><div><h3>One link can only do so much</h3>
      <p>Take away one link that is protected, or add one. The numbers from which this answer is made then move by at most {sensitivity == null ? 'a bounded amount' : epsilon(sensitivity)} in all: {withoutPaths(sensitivity_bound ?? '')}.</p></div></li>
    <li><div><h3>Noise hides that much</h3>
      <p>To every one of these numbers random noise was added before anybody saw it. How wide it is was decided from public numbers, before any link was read.</p>
      <Noise noise={noise} /></div></li>
    <li><div><h3>So two worlds look alike</h3>
      <p>With the link or without it, any answer is at most {factor(certificate.epsilon)} = e<sup>ε</sup> times as likely in one world as in the other{delta > 0 ? `, but for a chance of ${delta}` : ''}. Computed for the noise above: ε = {epsilon(guarantee.epsilon)}, never above the {epsilon(certificate.epsilon)} promised.</p>
      {laplace && <Worlds loss={guarantee.epsilon} />}</div></li>
    <li><div><h3>That is a theorem</h3>
      <p>{sentence(withoutPaths(theorem))}</p>
      {[...notes].map(([number, section]) => <Note note={theorems.notes[number]} section={section} />)}</div></li>
    <li><div><h3>Who has checked the proof</h3><Machine names={certificate.machine_checked} proofs={theorems.proofs} /></div></li>
  </ol>;
}

function Check({ answer, api }) {
  const [found, setFound] = useState();
  const [problem, setProblem] = useState();
  const file = () => URL.createObjectURL(new Blob([answer.text], { type: 'application/json' }));
  function save() {
    const link = Object.assign(document.createElement('a'), { href: file(), download: 'answer.json' });
    link.click();
    URL.revokeObjectURL(link.href);
  }
  const check = () => api.verify(answer.text).then(setFound, setProblem);
  return <>
    <div class="row"><button type="button" onClick={check}>Check it again</button><button type="button" onClick={save}>Save the answer with its certificate</button></div>
    <div role="status">{found && <p><span class={found.valid ? 'seal' : 'seal broken'}>{found.valid ? '✓ It holds' : '✗ It does not hold'}</span> <span class="small">{sentence(found.reason)}</span></p>}</div>
    <Trouble problem={problem} />
    <p class="hint">Checking computes every number of the certificate again. On your own computer: <code>hushwalk verify-certificate answer.json</code></p>
  </>;
}

export function Certificate({ answer, api }) {
  const [open, setOpen] = useState(false);
  const { certificate } = answer;
  return <section class="card certificate stack" aria-labelledby="certificate">
    <div>
      <div class="row apart"><h2 id="certificate">What this answer promises</h2>
        <span class="small quiet">{certificate.mechanism}{certificate.charged && `, charged ${moment(certificate.charged.at)}`}</span></div>
      <Promises certificate={certificate} />
      <details class="why" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Show me why</summary>
        {open && <Why certificate={certificate} api={api} />}
      </details>
    </div>
    <Check answer={answer} api={api} />
  </section>;
}
