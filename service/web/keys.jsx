// Keys, for admins: who has one, a new one, one less.
import { useState } from 'preact/hooks';
import { Name, Trouble, useLoaded } from './parts.jsx';
import { day } from './words.js';

const ROLES = {
  owner: 'An owner gets answers for a node of their own, whose links they know.',
  analyst: 'An analyst asks about every node; every link is protected, and the recipient named pays.',
  admin: 'An admin sees ledgers and keys, and asks nothing.',
};

function state(key, now) {
  if (key.revoked) return ['off', 'revoked'];
  if (key.expires && Date.parse(key.expires) < now) return ['off', 'expired'];
  return ['on', key.expires ? `until ${day(key.expires)}` : 'valid'];
}

const Seeds = ({ of }) => (of === 'all' ? 'all nodes' : of.map((seed, place) => <>{place > 0 && ', '}<Name of={seed} /></>));

function Row({ of, own, now, revoke }) {
  const [sure, setSure] = useState(false);
  const [kind, words] = state(of, now);
  return <tr>
    <td>{of.name ? <Name of={of.name} /> : <span class="quiet">—</span>}<br /><code>{of.id}</code></td><td>{of.role}</td>
    <td>{of.recipient ? <Name of={of.recipient} /> : <span class="quiet">—</span>}</td>
    <td>{of.role === 'admin' ? 'all' : of.graphs.join(', ')}{of.role === 'owner' && <>: <Seeds of={of.seeds} /></>}</td>
    <td><span class={`pill ${kind}`}>{words}</span></td>
    <td>{of.id === own.id ? <span class="quiet">yours</span> : kind === 'on' && (sure ? <button type="button" class="danger" onClick={() => revoke(of.id)}>Really revoke</button>
      : <button type="button" class="link" aria-label={`Revoke ${of.id}`} onClick={() => setSure(true)}>Revoke</button>)}</td>
  </tr>;
}

function New({ graphs, make }) {
  const [role, setRole] = useState('owner');
  function submit(event) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = (name) => (form.get(name) ? [form.get(name)] : []);
    make({ role, name: form.get('name'), graphs: given('graph'), seeds: given('seed'), recipient: form.get('recipient') ?? '', days: Number(form.get('days')) });
  }
  return <form class="newkey" onSubmit={submit}>
    <div class="field"><label for="name">Whose</label><input id="name" name="name" required maxLength={100} autocomplete="off" /></div>
    <div class="field"><label for="role">Role</label><select id="role" name="role" value={role} onChange={(event) => setRole(event.currentTarget.value)}>
      {Object.keys(ROLES).map((name) => <option key={name}>{name}</option>)}</select></div>
    {role !== 'admin' && <div class="field"><label for="of-graph">Graph</label><select id="of-graph" name="graph">{graphs.map(({ name, title }) => <option key={name} value={name}>{title || name}</option>)}</select></div>}
    {role === 'owner' && <div class="field"><label for="seed">Node</label><input id="seed" name="seed" required autocomplete="off" /></div>}
    {role === 'analyst' && <div class="field"><label for="recipient">Recipient</label><input id="recipient" name="recipient" required autocomplete="off" /></div>}
    <div class="field"><label for="days">Valid for days</label><input id="days" name="days" type="number" min="1" max="3650" value="90" required /></div>
    <button class="main">Make a key</button>
    <p class="hint">{ROLES[role]}</p>
  </form>;
}

export function Keys({ graphs, own, api }) {
  const { value: keys, problem, again } = useLoaded(api.keys, []);
  const [made, setMade] = useState();
  const [failed, setFailed] = useState();
  const change = (call) => call.then((value) => { setFailed(); again(); return value; }, setFailed);
  return <div class="stack">
    <h1>Keys</h1>
    <section class="card stack"><h2>A new key</h2>
      <New graphs={graphs} make={(wish) => change(api.newKey(wish)).then(setMade)} />
      <div role="status">{made && <div class="stack"><p><strong>Here it is, this once.</strong> Only its hash is kept: copy it now and hand it over by a safe way.</p><p class="secret">{made.key}</p></div>}</div>
      <Trouble problem={failed} />
    </section>
    <section class="card stack"><h2>All keys</h2>
      <Trouble problem={problem} again={again} />
      {keys && <div class="scroll" tabIndex={0} role="region" aria-label="All keys"><table>
        <thead><tr><th>Whose</th><th>Role</th><th>Recipient</th><th>Graphs and nodes</th><th>State</th><th><span class="unseen">What to do</span></th></tr></thead>
        <tbody>{keys.map((key) => <Row key={key.id} of={key} own={own} now={Date.now()} revoke={(id) => change(api.revokeKey(id))} />)}</tbody>
      </table></div>}
    </section>
  </div>;
}
