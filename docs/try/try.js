// The page of docs/try. permgate(json) is the program, compiled to WebAssembly; a worker of the same script compares policies.

const inPage = typeof document !== 'undefined';

// ask has the program answer. A program that ended, for a text was too much for it, answers no more.
function ask(request) {
  try {
    return JSON.parse(permgate(JSON.stringify(request)));
  } catch (error) {
    return {error: 'permgate failed: ' + error.message + '; load the page again'};
  }
}

async function start(program) {
  const go = new Go();
  go.run(await WebAssembly.instantiate(program, go.importObject));
}

if (!inPage) {
  let ready, next;
  self.onmessage = ({data}) => {
    if (data.program) { ready = data.program; return; }
    if (ready instanceof WebAssembly.Module) ready = start(ready); // not before it is needed
    clearTimeout(next); // what was asked meanwhile is asked no more
    next = setTimeout(async () => {
      await ready;
      postMessage({id: data.id, report: ask(data.request)});
    });
  };
}

const field = id => document.getElementById(id);
const blank = {tool: 'Bash', text: 'git status && rm -rf build', host: 'claude', mode: 'default', gate: null, second: null,
  settings: '{\n  "permissions": {\n    "allow": ["Bash(git:*)", "Bash(npm run test:*)"],\n    "deny": ["Read(.env)"]\n  }\n}\n'};
const state = {...blank};
let about, worker, job = 0, timers = {};

// later runs a function when nothing asked for it again for a while.
function later(name, wait, run) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(run, wait);
}

const posture = () => (about.hosts.find(host => host.name === state.host) || {}).posture || '';
const policy = () => ({settings: state.settings, gate: state.gate ?? posture()});
const call = () => ({tool: state.tool, text: state.text, mode: state.mode, host: state.host});

// The state is in the fragment of the link, which no server is sent; what is as at first is left out.
function link() {
  const changed = Object.entries(state).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(blank[key]));
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(changed)));
  const text = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return changed.length ? '#s=' + text : '#';
}

// A fragment that is none of ours, or holds something else than texts, changes nothing.
function follow() {
  const text = (location.hash.match(/^#s=([\w-]+)$/) || [])[1];
  const is = value => typeof value === 'string';
  let given = {};
  try {
    if (text) given = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0))));
  } catch { given = {}; }
  Object.assign(state, blank);
  for (const key of ['tool', 'text', 'host', 'mode', 'settings', 'gate']) if (is(given[key])) state[key] = given[key];
  if (!about.hosts.some(host => host.name === state.host)) state.host = blank.host;
  if (!about.modes.some(mode => mode.name === state.mode)) state.mode = blank.mode;
  const {second} = given;
  if (second && is(second.settings) && is(second.gate)) state.second = {settings: second.settings, gate: second.gate};
}

// show puts the state into the fields.
function show() {
  for (const key of ['tool', 'text', 'host', 'mode', 'settings']) field(key).value = state[key];
  field('gate').value = policy().gate;
  if (state.second) [field('settings2').value, field('gate2').value] = [state.second.settings, state.second.gate];
}

// read takes the state from the fields.
function read() {
  const was = posture();
  for (const key of ['tool', 'text', 'host', 'mode', 'settings']) state[key] = field(key).value;
  const own = field('gate').value;
  state.gate = own === was || own === posture() ? null : own;
  if (state.gate === null) field('gate').value = posture();
  if (!state.second) return;
  if (field('gate2').value === was) field('gate2').value = posture();
  state.second = {settings: field('settings2').value, gate: field('gate2').value};
}

const wrong = text => el('p', {class: 'alarm'}, el('strong', {}, 'No answer'), ' ', visible(text));

// decide answers the call, and tells it to a screen reader when nobody types any more.
function decide() {
  const mode = about.modes.find(m => m.name === state.mode);
  const tool = about.tools.find(t => t.name === state.tool);
  field('mode-about').textContent = mode ? state.mode + ': ' + mode.about : '';
  document.querySelector('label[for=text]').textContent = state.tool === 'Bash' ? 'Command' :
    (tool ? tool.field.replace('_', ' ') : 'name') + ', or the input as JSON';
  const d = shown('result', state.second && 'First policy', policy());
  if (document.body.classList.contains('two') === !state.second) { // what is below is also later for the keyboard
    field(state.second ? 'policy' : 'call').after(field('answer'));
  }
  document.body.classList.toggle('two', !!state.second);
  field('second').hidden = field('result2').hidden = !state.second;
  field('compare').setAttribute('aria-pressed', !!state.second);
  if (state.second) shown('result2', 'Second policy', state.second);
  later('spoken', 700, () => { field('spoken').textContent = d.error || told(d.answer) + ': ' + near(d, d.reason); });
  later('link', 300, () => history.replaceState(null, '', link()));
  later('proof', 500, prove);
}

// shown puts the answer to the call under a policy into a place, and returns it.
function shown(id, title, under) {
  const d = ask({...call(), policy: under});
  field(id).replaceChildren(...[title && el('h3', {}, title), d.error ? wrong(d.error) : [answer(d), remarks(d),
    el('h3', {}, 'Parts of the call, and what each does'), tree(d),
    ...title ? [el('details', {open: shown.open, toggle: event => { shown.open = event.target.open; }}, el('summary', {}, 'Steps'), steps(d))] : [el('h3', {}, 'Steps'), steps(d)]]].flat(3).filter(kid => kid));
  return d;
}

// prove has the worker look for the shortest calls that both policies answer differently.
function prove() {
  const box = field('proof');
  if (!state.second) return box.replaceChildren();
  const request = {host: state.host, mode: state.mode, policy: policy(), against: state.second};
  if (JSON.stringify(request) === prove.asked) return;
  prove.asked = JSON.stringify(request);
  box.replaceChildren(el('p', {class: 'hint'}, 'Looking for calls that the two policies answer differently …'));
  worker.postMessage({id: ++job, request});
}

const laxer = {holds: 'No call is answered differently by the second policy.', fails: 'The policies answer these calls differently, the shortest first:',
  unknown: 'No call was found that is answered differently, and it is not proven that there is none.'};

function proven({data: {id, report}}) {
  if (id !== job || !state.second) return;
  if (report.error) return field('proof').replaceChildren(wrong(report.error));
  const found = [...report.findings].sort((a, b) => a.text.length - b.text.length);
  const because = f => [code(f.rule, 100), ' ', el('span', {class: 'place'},
    visible(f.place.replace('/home/you/', '~/') + (f.gone ? ', second policy' : ', first policy')))];
  const row = f => el('tr', {}, el('th', {scope: 'row'}, el('button', {type: 'button', class: 'open', click: () => {
    Object.assign(state, {tool: f.tool, text: f.tool === 'Bash' ? f.text : JSON.stringify(f.input)});
    show();
    decide();
    field('answer').focus();
  }}, code((f.tool === 'Bash' ? '' : f.tool + ' ') + f.text, 200)), el('small', {class: 'narrow'}, 'because of ', because(f))),
  el('td', {}, badge(f.is, told(f.is))), el('td', {}, badge(f.was, told(f.was))),
  el('td', {class: 'wide'}, because(f)));
  field('proof').replaceChildren(el('h3', {}, laxer[report.verdict]), found.length ? table('', [['Call'], ['First policy'], ['Second policy'], ['Because of', 'wide']],
    found.slice(0, 20).map(row), {'aria-label': 'Calls that are answered differently'}) : '',
  ...report.open.length ? [el('p', {class: 'hint'}, 'Not known: ' + report.open.map(o => (o.rule + ': ' + o.why)).join('; '))] : []);
}

function choose(x) {
  Object.assign(state, {tool: x.tool, text: x.text, mode: x.mode || 'default', settings: x.settings, host: 'claude', gate: null});
  show();
  decide();
}

function listen() {
  for (const id of ['tool', 'text', 'host', 'mode', 'settings', 'gate', 'settings2', 'gate2']) {
    field(id).addEventListener('input', () => { read(); decide(); });
  }
  field('example').addEventListener('change', () => { if (field('example').value) choose(about.examples[field('example').value]); });
  field('installed').addEventListener('click', () => { state.gate = null; show(); decide(); });
  field('compare').addEventListener('click', () => {
    state.second = state.second ? null : policy();
    prove.asked = '';
    show();
    decide();
    if (state.second) field('settings2').focus();
  });
  field('copy').addEventListener('click', async () => {
    history.replaceState(null, '', link());
    let said = 'Copied';
    try { await navigator.clipboard.writeText(location.href); } catch { said = 'The address of this page is the link'; }
    field('copied').textContent = said;
  });
  addEventListener('hashchange', () => {
    if (field(location.hash.slice(1))) return history.replaceState(null, '', link()); // a place of the page
    follow();
    show();
    decide();
  });
}

function fill() {
  const options = (id, list) => field(id).append(...list.map(([value, text]) => el('option', {value}, text)));
  options('host', about.hosts.map(host => [host.name, host.title]));
  options('mode', about.modes.map(mode => [mode.name, mode.name]).reverse());
  options('tools', about.tools.map(tool => [tool.name, '']));
  options('example', about.examples.map((x, i) => [i, x.title + ' (' + told(x.answer) + ')']));
  for (const s of document.querySelectorAll('section')) {
    document.querySelector('nav').append(el('a', {href: '#' + s.id, click: event => { // the fragment is the state
      event.preventDefault();
      s.scrollIntoView();
      s.querySelector('select, textarea, h2').focus();
    }}, s.querySelector('h2').textContent));
  }
}

async function open() {
  theme();
  worker = new Worker('try.js');
  worker.onmessage = proven;
  worker.onerror = () => field('proof').replaceChildren(wrong('the comparison failed; load the page again'));
  try {
    const packed = await fetch('permgate.bin'); // its name tells no server that it is packed
    if (!packed.ok) throw new Error('permgate.bin: ' + packed.status);
    const plain = packed.body.pipeThrough(new DecompressionStream('gzip'));
    const program = await WebAssembly.compileStreaming(new Response(plain, {headers: {'Content-Type': 'application/wasm'}}));
    worker.postMessage({program});
    await start(program);
  } catch (error) {
    return field('result').replaceChildren(wrong('permgate could not be loaded: ' + error.message));
  }
  about = ask({about: true});
  fill();
  follow();
  show();
  decide();
  listen();
  document.documentElement.dataset.ready = 'yes';
}

if (inPage) open();
