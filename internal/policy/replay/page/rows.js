// The table of differences: searched, filtered, sorted, and shown in pages, so that
// a page of 50,000 rows holds as few elements as one of 50.

const rows = list('rows');
const perPage = 50;
const ruleOf = item => item.by + '\n' + (item.place || '');
const view = {words: [], kind: '', rule: '', column: '', down: false, page: 0, found: rows, ui: {}};
let texts; // what a search looks in, made when the first one is

const columns = [
  ['Change', row => kinds.findIndex(([kind]) => kind === row.kind) + (risky(row) ? -10 : 0)], ['Call', row => row.text],
  ['Tool', row => row.tool, 'wide'], ['Rule', row => row.by, 'wide'], ['Calls', row => row.calls, 'n'],
  ['When', row => row.time || '', 'wide'],
].slice(0, rows.some(row => row.time) ? 6 : 5);

const ofKind = (row, kind) => !kind || (kind === 'risky' ? risky(row) : row.kind === kind);

function matches(row, i) {
  return ofKind(row, view.kind) && (!view.rule || ruleOf(row) === view.rule) && view.words.every(word => texts[i].includes(word));
}

function find() {
  if (view.words.length && !texts) {
    texts = rows.map(r => [r.text, r.tool, r.by, r.place, r.why, r.refused, r.session, r.was, r.now].join('\n').toLowerCase());
  }
  view.found = rows.filter(matches);
  const column = columns.find(([name]) => name === view.column);
  if (column) {
    const sign = view.down ? -1 : 1, value = column[1];
    view.found.sort((a, b) => {
      const x = value(a), y = value(b);
      return x < y ? -sign : x > y ? sign : 0;
    });
  }
  view.page = 0;
  draw();
}

function draw() {
  const {found, ui} = view, first = view.page * perPage, pages = Math.max(1, Math.ceil(found.length / perPage));
  ui.body.replaceChildren(...found.slice(first, first + perPage).map(rowElement));
  rove(ui.body.querySelector('button'));
  ui.status.textContent = (found.length === rows.length ? count(rows.length, 'row') : number(found.length) + ' of ' + count(rows.length, 'row')) +
    ', ' + count(sum(found, row => row.calls), 'call');
  ui.where.textContent = found.length ? 'Page ' + number(view.page + 1) + ' of ' + number(pages) : 'Nothing matches';
  ui.back.disabled = view.page === 0;
  ui.next.disabled = view.page >= pages - 1;
  for (const [kind, button] of ui.kinds) button.setAttribute('aria-pressed', kind === view.kind);
  for (const th of ui.heads) {
    th.setAttribute('aria-sort', th.dataset.column !== view.column ? 'none' : view.down ? 'descending' : 'ascending');
  }
  ui.rule.value = view.rule;
}

function rowElement(row) {
  const open = el('button', {type: 'button', class: 'open', 'aria-expanded': 'false', tabindex: -1}, code(row.text, 200));
  const tr = el('tr', {class: risky(row) && 'risky', click: () => {
    if (getSelection().isCollapsed) toggle(tr, open, row);
  }},
  el('td', {}, badge(kindClass(row.kind), row.was + ' → ' + row.now), risky(row) ? el('strong', {class: 'refused'}, 'refused before') : ''),
  el('th', {scope: 'row'}, open), el('td', {class: 'wide'}, visible(row.tool)), el('td', {class: 'wide'}, code(row.by, 60)),
  el('td', {class: 'n'}, number(row.calls)), columns.length > 5 && el('td', {class: 'wide when'}, time(row.time).slice(0, 16)));
  return tr;
}

function toggle(tr, open, row) {
  const next = tr.nextElementSibling, shown = open.getAttribute('aria-expanded') === 'true';
  open.setAttribute('aria-expanded', !shown);
  if (shown) return next.remove();
  const facts = [
    ['Answer', row.was + ' before, ' + row.now + ' now'], ['Because', row.why], ['Rule', row.by], ['Place', row.place],
    ['Refused by', row.refused], ['Tool', row.tool], ['Calls', number(row.calls)], ['Session', row.session], ['When', time(row.time)],
  ];
  tr.after(el('tr', {class: 'details'}, el('td', {colspan: columns.length},
    el('pre', {}, el('code', {}, visible(row.text, true))),
    el('dl', {}, facts.filter(([, text]) => text).map(([name, text]) => el('div', {}, el('dt', {}, name), el('dd', {}, visible(text))))))));
}

// One row is in the order of tabs; arrows lead to the others, and to the next page.
function rove(button) {
  for (const old of view.ui.body.querySelectorAll('button[tabindex="0"]')) old.tabIndex = -1;
  if (button) button.tabIndex = 0;
}

function turn(by, last) {
  view.page += by;
  draw();
  const buttons = view.ui.body.querySelectorAll('.open');
  return buttons[last ? buttons.length - 1 : 0];
}

function step(event) {
  const buttons = [...view.ui.body.querySelectorAll('.open')], i = buttons.indexOf(document.activeElement);
  if (i < 0) return;
  let to = {ArrowDown: buttons[i + 1], ArrowUp: buttons[i - 1], Home: buttons[0], End: buttons[buttons.length - 1]}[event.key];
  if (event.key === 'ArrowDown' && !to && !view.ui.next.disabled) to = turn(1);
  if (event.key === 'ArrowUp' && !to) to = view.ui.back.disabled ? view.ui.search : turn(-1, true);
  if (!to) return;
  event.preventDefault();
  if (to !== view.ui.search) rove(to);
  to.focus();
}

function showRows(kind, rule = '') {
  Object.assign(view, {kind, rule, words: []});
  view.ui.search.value = '';
  find();
  if (!view.found.length) { // the rule of a group may stand for several
    view.rule = '';
    find();
  }
  document.getElementById('rows').scrollIntoView();
  const first = view.ui.body.querySelector('.open');
  (first || view.ui.search).focus({preventScroll: true});
}

function toolbar(ui) {
  ui.search = el('input', {type: 'search', id: 'search', placeholder: 'git push', autocomplete: 'off', spellcheck: 'false', input: () => {
    view.words = ui.search.value.toLowerCase().split(/\s+/).filter(word => word);
    find();
  }, keydown: event => {
    if (event.key === 'ArrowDown') (ui.body.querySelector('.open') || ui.search).focus();
  }});
  const byRule = new Map();
  for (const row of rows) byRule.set(ruleOf(row), (byRule.get(ruleOf(row)) || 0) + 1);
  ui.rule = el('select', {id: 'rule', change: () => { view.rule = ui.rule.value; find(); }}, el('option', {value: ''}, 'All rules'),
    [...byRule].sort((a, b) => b[1] - a[1]).map(([rule, n]) =>
      el('option', {value: rule}, plain(cut(rule.replace('\n', '  '), 100)) + ' (' + number(n) + ')')));
  ui.kinds = [['', 'All'], ['risky', 'refused before, now allowed'], ...kinds].map(([kind, word]) => [kind, word, rows.filter(row => ofKind(row, kind)).length])
    .filter(([, , n]) => n).map(([kind, word, n]) => [kind, el('button', {type: 'button', class: kind === 'risky' ? 'refused' : false,
      click: () => { view.kind = kind; find(); }}, word + ' ', el('small', {}, number(n)))]);
  return el('div', {class: 'tools', role: 'search'},
    el('div', {}, el('label', {for: 'search'}, 'Search'), ui.search),
    el('div', {}, el('label', {for: 'rule'}, 'Rule'), ui.rule),
    el('div', {role: 'group', 'aria-label': 'Kind of change', class: 'kinds'}, ui.kinds.map(([, button]) => button)));
}

function differences() {
  if (!rows.length) return;
  const {ui} = view;
  const tools = toolbar(ui);
  ui.status = el('p', {role: 'status', 'aria-live': 'polite'});
  ui.where = el('span');
  ui.back = el('button', {type: 'button', click: () => turn(-1)}, '← Back');
  ui.next = el('button', {type: 'button', click: () => turn(1)}, 'Next →');
  ui.heads = columns.map(([name, , kind]) => el('th', {scope: 'col', class: kind, 'data-column': name}, el('button', {type: 'button', click: () => {
    view.down = view.column === name && !view.down;
    view.column = name;
    find();
  }}, name)));
  ui.body = el('tbody', {keydown: step});
  section('rows', 'Every difference', tools, el('p', {class: 'keys'}, el('kbd', {}, '/'), ' search ', el('kbd', {}, '↑'), ' ',
    el('kbd', {}, '↓'), ' rows ', el('kbd', {}, 'Enter'), ' details'), ui.status,
    el('div', {class: 'scroll'}, el('table', {class: 'rows'}, el('thead', {}, el('tr', {}, ui.heads)), ui.body)),
    el('div', {class: 'pager'}, ui.back, ui.where, ui.next),
    report.more ? el('p', {}, count(report.more, 'more difference') + ' had no room on this page.') : '');
  draw();
  document.addEventListener('keydown', event => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    ui.search.focus();
  });
}

theme();
head();
totals();
groups('overruled', 'Refused by a person, allowed now', list('overruled'));
groups('changes', 'What changes', changes);
days();
stops();
section('commands', 'Prompts by command', tallies('', 'Command', list('commands')));
tools();
rules();
sessions();
reading();
classifier();
differences();
document.querySelector('footer').append('Nothing on this page was executed, and it makes no request.');
