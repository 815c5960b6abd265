// The page of the service. All it knows is in this tab: the key and the question, in the session's storage; a reload finds both.
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { connect } from './api.js';
import { Ask, aboutGraph } from './ask.jsx';
import { Keys } from './keys.jsx';
import { Ledger } from './ledger.jsx';
import { Trouble, useFocus } from './parts.jsx';
import { Theme } from './theme.jsx';

const KEY = 'hushwalk.key', QUESTION = 'hushwalk.question';

const Brand = () => <a class="brand" href="#"><img src="icon.svg" alt="" />Hushwalk</a>;

function SignIn({ problem, busy, signIn }) {
  const wrong = useFocus(problem);
  const submit = (event) => { event.preventDefault(); signIn(new FormData(event.currentTarget).get('key').trim()); };
  return <>
    <header class="top"><Brand /><div class="tools"><Theme /></div></header>
    <main id="main"><div class="welcome stack">
      <h1>Who matters to whom, without giving a link away</h1>
      <p class="lead">Private rankings on a graph that stays where it is: with a price you see beforehand, and a certificate you can check.</p>
      <form class="card stack" onSubmit={submit}>
        <div class="field"><label for="key">Your key</label>
          <input id="key" name="key" type="password" required autocomplete="off" spellcheck={false} ref={wrong} aria-invalid={Boolean(problem)} aria-describedby="key-hint" />
          <p id="key-hint" class="hint">From the custodian of the graph. It stays in this tab and is forgotten with it.</p></div>
        <Trouble problem={problem} />
        <button class="main" disabled={busy}>{busy ? 'Signing in…' : 'Sign in'}</button>
      </form>
    </div></main>
  </>;
}

function useRoute(routes) {
  const read = () => routes.find((name) => location.hash === `#${name}`) ?? routes[0];
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const follow = () => setRoute(read());
    addEventListener('hashchange', follow);
    follow();
    return () => removeEventListener('hashchange', follow);
  }, [routes.join()]);
  return route;
}

const VIEWS = { ask: ['Ask', Ask], ledger: ['Ledger', Ledger], keys: ['Keys', Keys] };
const viewsOf = (role) => (role === 'admin' ? ['ledger', 'keys'] : ['ask']);  // an admin asks nothing

function stored(name) {
  try { return JSON.parse(sessionStorage.getItem(name)) ?? {}; } catch { return {}; }
}

function House({ graphs, own, api, signOut }) {
  const { role } = own;
  const views = viewsOf(role), route = useRoute(views);
  const [question, setQuestion] = useState(() => {
    const old = stored(QUESTION);
    return graphs.some(({ name }) => name === old.graph) ? old : { ...aboutGraph(graphs[0]), epsilon: '0.5' };
  });
  useEffect(() => sessionStorage.setItem(QUESTION, JSON.stringify(question)), [question]);
  const [, View] = VIEWS[route];
  useEffect(() => { document.title = route === 'ask' ? 'Hushwalk' : `${VIEWS[route][0]} · Hushwalk`; }, [route]);
  return <>
    <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main').focus(); }}>To the content</a>
    <header class="top"><Brand />
      {views.length > 1 && <nav aria-label="Views">{views.map((name) => <a key={name} href={`#${name}`} aria-current={name === route ? 'page' : undefined}>{VIEWS[name][0]}</a>)}</nav>}
      <div class="tools"><span class="role">{own.name || role}</span><button type="button" class="link" onClick={signOut}>Sign out</button><Theme /></div></header>
    <main id="main" tabIndex={-1} class={route === 'ask' ? '' : 'narrow'}>
      {graphs.length ? <View graphs={graphs} own={own} question={question} setQuestion={setQuestion} api={api} /> : <p>There is no graph that this key may ask about.</p>}
    </main>
  </>;
}

function App() {
  const [key, setKey] = useState(() => sessionStorage.getItem(KEY));
  const [session, setSession] = useState();
  const [problem, setProblem] = useState();

  function signOut(reason) {
    sessionStorage.clear();
    setKey(null);
    setSession();
    setProblem(reason);
  }
  const refused = (error) => signOut(error.status === 401 ? { title: 'This key opens nothing here', message: 'It may be mistyped, expired or revoked.', remedy: 'Ask the custodian for another.' } : error);
  const api = useMemo(() => (key ? connect(key, refused) : null), [key]);
  useEffect(() => {
    if (!api) return;
    setProblem();
    api.session().then((found) => { sessionStorage.setItem(KEY, key); setSession({ own: found.key, graphs: found.graphs }); }, (error) => { if (error.status !== 401) refused(error); });
  }, [api]);
  useEffect(() => { document.documentElement.dataset.ready = ''; }, []);

  if (!session) return <SignIn problem={problem} busy={Boolean(key)} signIn={(text) => setKey(text)} />;
  return <House {...session} api={api} signOut={() => signOut()} />;
}

render(<App />, document.body);
