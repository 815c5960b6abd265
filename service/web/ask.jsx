// A question, what it costs before it is asked, and the answer.
import { useEffect, useState } from 'preact/hooks';
import { SHARED } from './api.js';
import { Picture, Ranking } from './answer.jsx';
import { Certificate } from './certificate.jsx';
import { Gauge, Name, Trouble, useFocus, useLoaded } from './parts.jsx';
import { Search } from './search.jsx';
import { epsilon as show, plural, sentence } from './words.js';

const CHOICES = ['0.1', '0.5', '1'];
const positive = (text) => /^\d*\.?\d+(e-?\d+)?$/i.test(text) && Number(text) > 0;

function Loss({ value, shared, onChange }) {
  const choices = shared ? [SHARED, ...CHOICES] : CHOICES;
  const [other, setOther] = useState(!choices.includes(value));
  const choose = (text) => { setOther(text === ''); if (text) onChange(text); };
  return <fieldset>
    <legend>How much may it give away?</legend>
    <div class="choices">
      {[...choices, ''].map((text) => <label key={text}>{text || 'other'}
        <input type="radio" name="epsilon" checked={text ? !other && value === text : other} onChange={() => choose(text)} /></label>)}
    </div>
    {other && <input type="text" inputMode="decimal" aria-label="Epsilon" aria-invalid={!positive(value)} value={value === SHARED ? '' : value} onInput={(event) => onChange(event.currentTarget.value.trim())} />}
    <p class="hint">{value === SHARED && !other ? 'From one noisy artefact that serves everybody: paid for once, whoever asks.'
      : 'ε, the privacy loss: a small one keeps links better hidden, a large one gives a sharper answer.'}</p>
  </fieldset>;
}

// The price tag: shown as soon as there is a question.
function Price({ cost }) {
  const { value, problem, loading, again } = cost;
  if (problem) return <Trouble problem={problem} again={again} />;
  if (!value) return <p class="hint">{loading ? 'Looking up what it costs…' : 'Choose a node to see what the question costs.'}</p>;
  const { account } = value;
  return <div class="gauge">
    <p class="price">{value.free ? <><b>Free</b>: the answer that was given before, again.</> : <>Costs <b>ε {show(value.cost)}</b></>}</p>
    <Gauge spent={account.spent} next={value.cost} limit={account.epsilon} of="budget" />
    {!value.fits && <div class="problem"><strong>This question would be refused</strong>{sentence(value.refusal)}</div>}
  </div>;
}

const about = ({ title, name, nodes, seeds }) => (seeds ? `${title || name}: this key asks for ${plural(seeds.length, 'node')} of its own.`
  : `${title || name}: ${plural(nodes, 'node')}. The list of nodes is public, the links are not.`);

// Who has one node of their own need not look for it.
export const aboutGraph = (graph) => ({ graph: graph?.name, seed: graph?.seeds?.length === 1 ? graph.seeds[0] : undefined });

// An owner finds the nodes of their own.
const finder = ({ name, seeds }, api) => (prefix, signal) => (seeds ? Promise.resolve(seeds.filter((seed) => String(seed).startsWith(prefix))) : api.nodes(name, prefix, signal));

function Question({ graphs, question, change, cost, ask, asking, answered, api }) {
  const graph = graphs.find((one) => one.name === question.graph);
  const ready = cost.value && cost.value.fits && !cost.loading && !asking && !answered;
  const submit = (event) => { event.preventDefault(); if (ready) ask(); };
  return <form class="question card stack" onSubmit={submit} aria-label="Your question">
    {graphs.length > 1 && <div class="field"><label for="graph">Graph</label>
      <select id="graph" value={question.graph} onChange={(event) => change(aboutGraph(graphs.find(({ name }) => name === event.currentTarget.value)))}>
        {graphs.map(({ name, title }) => <option key={name} value={name}>{title || name}</option>)}</select></div>}
    <Search key={question.graph} label="Who matters most to …" hint={about(graph)} value={question.seed} find={finder(graph, api)} onChoose={(seed) => change({ seed })} />
    <Loss value={question.epsilon} shared={graph.shared} onChange={(epsilon) => change({ epsilon })} />
    <div aria-live="polite" aria-busy={Boolean(cost.loading)}><Price cost={cost} /></div>
    <button class={answered ? 'done' : 'main'} disabled={!ready} aria-busy={asking}>
      {answered ? '✓ Answered' : asking ? 'Asking…' : !cost.value ? 'Ask' : cost.value.free ? 'Show the answer, free' : `Ask for ε ${show(cost.value.cost)}`}</button>
  </form>;
}

function Answer({ answer, api }) {
  const heading = useFocus(answer);
  const { seed, top } = answer.ranking;
  return <div class="answer">
    <div class="both">
      <section class="card" aria-labelledby="answer">
        <div class="row apart"><h1 id="answer" tabIndex={-1} ref={heading}>Who matters most to <Name of={seed} /></h1>
          <span class="small quiet">ε {show(answer.certificate.epsilon)}</span></div>
        {top.length ? <Ranking top={top} /> : <p>There is nobody to list.</p>}
      </section>
      {top.length > 0 && <Picture seed={seed} top={top} />}
    </div>
    <Certificate answer={answer} api={api} />
  </div>;
}

const Empty = () => <div class="empty">
  <h1>Ask who matters, keep who knows whom</h1>
  <p>Choose a node, and you see what the question costs before you ask it: every answer gives away a little about the links, and a budget keeps count of how much.</p>
  <p>Asking the same again is free: it is the same answer.</p>
</div>;

export function Ask({ graphs, question, setQuestion, api }) {
  const [answer, setAnswer] = useState();
  const [problem, setProblem] = useState();
  const [asking, setAsking] = useState(false);
  const [restored, setRestored] = useState(question.asked);
  const complete = question.seed !== undefined && (question.epsilon === SHARED || positive(question.epsilon));
  const [charges, setCharges] = useState(0);
  const cost = useLoaded(async (signal) => (complete ? api.cost(question, signal) : undefined), [question.graph, question.seed, question.epsilon, charges]);

  const change = (part) => {
    setQuestion({ ...question, ...part, asked: false });
    setProblem();
    setRestored(false);
  };
  async function ask() {
    setAsking(true);
    setProblem();
    try {
      setAnswer(await api.rank(question));
      setQuestion({ ...question, asked: true });
    } catch (error) {
      setProblem(error);
    }
    setAsking(false);
    setCharges((count) => count + 1);
  }
  // After a reload the answer comes back by itself, but only if that costs nothing.
  useEffect(() => {
    if (!restored || !cost.value || cost.loading) return;
    setRestored(false);
    if (cost.value.free) ask();
  }, [restored, cost.value]);

  const current = answer && answer.question.graph === question.graph && answer.question.seed === question.seed && answer.question.epsilon === question.epsilon;
  return <div class="ask">
    <Question graphs={graphs} question={question} change={change} cost={cost} ask={ask} asking={asking} answered={current} api={api} />
    <div class="stack">
      <Trouble problem={problem} />
      {current ? <Answer answer={answer} api={api} /> : <Empty />}
    </div>
  </div>;
}
