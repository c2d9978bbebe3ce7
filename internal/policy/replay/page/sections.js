// The sections but for the table of differences.

const report = JSON.parse(document.getElementById('report').textContent);
const list = name => report[name] || [];

const kinds = [
  ['allowed', 'newly allowed', 'allow'], ['asked', 'newly asked about', 'ask'],
  ['denied', 'newly denied', 'deny'], ['left', 'newly left to the agent', 'silence'],
];
const kindWord = kind => (kinds.find(([key]) => key === kind) || [kind, kind])[1];
const kindClass = kind => (kinds.find(([key]) => key === kind) || [kind, kind, 'silence'])[2];
const sum = (items, of) => items.reduce((n, item) => n + of(item), 0);
const join = (parts, last = ' and ') => parts.length < 2 ? parts.join('') : parts.slice(0, -1).join(', ') + last + parts[parts.length - 1];

const changes = list('changes');
const overruled = sum(list('overruled'), c => c.calls);
// Risky is what a person refused then, and would be allowed now. A change counts persons; a row says who it was.
const risky = item => item.kind === 'allowed' && (item.refused > 0 || item.refused === 'user');

function headline() {
  const all = report.answers, n = report.decided;
  if (!report.read) return 'No calls were found';
  if (!n) return 'None of ' + count(report.read, 'call') + ' could be decided';
  const parts = [];
  if (all.ask) parts.push('asks about ' + number(all.ask));
  if (all.deny) parts.push('denies ' + number(all.deny));
  if (all.silence) parts.push('leaves ' + number(all.silence) + ' to the agent');
  return join(['permgate allows ' + share(all.allow, n) + ' of ' + count(n, 'call'), ...parts]);
}

function difference() {
  if (!report.against) return;
  const by = kinds.map(([kind, word]) => [sum(changes.filter(c => c.kind === kind), c => c.calls), word]);
  const n = sum(by, ([calls]) => calls);
  const words = join(by.filter(([calls]) => calls).map(([calls, word]) => number(calls) + ' ' + word));
  return el('p', {class: 'lead'}, n
    ? count(n, 'call') + (n === 1 ? ' is' : ' are') + ' answered differently: ' + words + '.'
    : 'Every call is answered as before.');
}

function head() {
  const period = [report.first, report.last].map(t => time(t).slice(0, 10)).filter((t, i, all) => t && t !== all[i - 1]);
  const facts = [
    ['Policy', report.policy], ['Compared with', report.against], ['Period', join(period, ' to ')],
    ['Made', join([time(report.made), report.version && 'permgate ' + report.version].filter(t => t), ' by ')],
  ];
  document.querySelector('h1').append(headline());
  document.querySelector('header').append(...[
    difference(),
    overruled ? el('p', {class: 'alarm'}, el('strong', {}, count(overruled, 'call') + ' that a person refused would be allowed.'),
      list('rows').some(risky) ? el('button', {type: 'button', click: () => showRows('risky')}, 'Show in the table') : '') : '',
    el('dl', {class: 'facts'}, facts.filter(([, text]) => text).map(([name, text]) =>
      el('div', {}, el('dt', {}, name), el('dd', {}, visible(text))))),
  ].filter(part => part));
}

function totals() {
  const n = report.decided;
  if (!n) return;
  section('totals', 'Totals', bar(report.answers, n), el('ul', {class: 'tiles'}, answers.map(([key, word]) =>
    el('li', {class: key}, el('strong', {}, number(report.answers[key])), ' ' + word + ' ',
      el('small', {}, share(report.answers[key], n))))));
}

// Changes, by the rule responsible: what a person refused first.
function groups(id, title, items) {
  if (!items.length) return;
  const ordered = [...items.filter(risky), ...items.filter(c => !risky(c))];
  const item = c => el('li', {class: risky(c) ? 'group risky' : 'group'},
    el('p', {}, badge(kindClass(c.kind), report.against ? kindWord(c.kind) : c.kind), el('strong', {}, count(c.calls, 'call')),
      risky(c) ? el('strong', {class: 'refused'}, number(c.refused) + ' refused before') : ''),
    el('p', {}, 'by ', code(c.by), c.place ? el('span', {class: 'place'}, visible(c.place)) : ''),
    el('ul', {class: 'examples'}, (c.examples || []).slice(0, 3).map(text => el('li', {}, code(text, 120)))),
    report.against && list('rows').length ? el('button', {type: 'button', click: () => showRows(c.kind, ruleOf(c))}, 'Show in the table') : '');
  const ul = el('ul', {class: 'groups'}, ordered.slice(0, 12).map(item));
  const rest = ordered.slice(12);
  const more = rest.length ? el('button', {type: 'button', click: () => {
    ul.append(...rest.map(item));
    more.remove();
  }}, 'Show all ' + number(ordered.length)) : '';
  section(id, title, ul, more);
}

// Days as bars of stacked parts. A part is [key, calls, title]; parts of a bar that have titles are set apart.
function dayChart(days, partsOf, label, width) {
  const height = 220, left = 44, foot = 24, top = 8;
  const date = day => Date.parse(day.name) / 864e5, size = day => sum(partsOf(day), ([, calls]) => calls);
  const start = date(days[0]), span = date(days[days.length - 1]) - start + 1;
  const gaps = span <= 400; // a day without a call leaves a gap, unless they are too many to draw
  const n = gaps ? span : days.length, step = (width - left) / n;
  const most = Math.max(...days.map(size));
  const unit = niceStep(most / 4), ceiling = Math.ceil(most / unit) * unit;
  const y = calls => top + (height - top - foot) * (1 - calls / ceiling);
  const lines = [];
  for (let calls = 0; calls <= ceiling; calls += unit) {
    lines.push(svg('line', {class: 'grid', x1: left, x2: width, y1: y(calls), y2: y(calls)}),
      svg('text', {x: left - 6, y: y(calls) + 4, 'text-anchor': 'end'}, number(calls)));
  }
  const middle = column => left + (column + 0.5) * step;
  for (let column = 0, every = Math.ceil(112 / step); middle(column) < width - 30; column += every) {
    const name = gaps ? new Date((start + column) * 864e5).toISOString().slice(0, 10) : days[column].name;
    lines.push(svg('text', {x: Math.max(middle(column), left + 30), y: height - 6, 'text-anchor': 'middle'}, name));
  }
  const thick = Math.min(Math.max(step * 0.8, 1), 40);
  const bars = days.map((day, i) => {
    const x = middle(gaps ? date(day) - start : i) - thick / 2;
    let sofar = 0;
    const parts = partsOf(day).map(([key, calls, title]) => {
      const from = y(sofar);
      sofar += calls;
      const full = from - y(sofar), gap = title && full > 3 ? 1 : 0;
      return svg('rect', {class: key, x, width: thick, y: y(sofar) + gap, height: full - gap}, title && svg('title', {}, plain(title)));
    });
    return svg('g', {}, svg('title', {}, day.title), parts);
  });
  return svg('svg', {class: 'days', role: 'img', viewBox: '0 0 ' + width + ' ' + height,
    'aria-label': label + ', from ' + days[0].name + ' to ' + days[days.length - 1].name + '; the numbers are in the table below'},
  lines, bars);
}

// The step of a scale: 1, 2 or 5 with noughts.
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * [1, 2, 5, 10].find(n => n * power >= least);
}

function days() {
  const all = [...list('days')].sort((a, b) => a.name < b.name ? -1 : 1);
  if (all.length < 2) return;
  const keys = answers.filter(([key]) => all.some(day => day[key]));
  for (const day of all) day.title = day.name + ': ' + inWords(day);
  const partsOf = day => answers.filter(([key]) => day[key]).map(([key]) => [key, day[key]]);
  section('days', 'Over time', legend(keys), chart(width => dayChart(all, partsOf, 'Calls by day', width)), asTable(
    shortTable('', [['Day'], ...keys.map(([, , word]) => [word, 'n'])], all,
      day => el('tr', {}, el('th', {scope: 'row'}, day.name), keys.map(([key]) => el('td', {class: 'n'}, number(day[key])))), 31)));
}

const asTable = (...content) => el('details', {}, el('summary', {}, 'As a table'), content);

// What was asked about or denied: a bar for each day, in it a part for each session.
function stops() {
  const all = list('stops'), days = [];
  for (const s of all) {
    if (!days.length || days[days.length - 1].name !== s.day) days.push({name: s.day, sessions: [], ask: 0, deny: 0});
    const day = days[days.length - 1];
    day.sessions.push(s);
    day.ask += s.ask;
    day.deny += s.deny;
    day.title = day.name + ': ' + number(day.ask + day.deny) + ' in ' + count(day.sessions.length, 'session');
  }
  if (!days.length) return;
  const keys = answers.filter(([key]) => all.some(s => s[key]));
  const partsOf = day => day.sessions.flatMap(s => keys.filter(([key]) => s[key]).map(([key, word]) =>
    [key, s[key], (s.session || 'a session without a name') + ': ' + number(s[key]) + ' ' + word]));
  section('stops', 'Stops by day and session', legend(keys), chart(width => dayChart(days, partsOf, 'Stops by day and session', width)), asTable(
    shortTable('', [['Day'], ['Session'], ...keys.map(([, , word]) => [word, 'n'])], all, s => el('tr', {}, el('th', {scope: 'row'}, s.day),
      el('td', {}, code(s.session, 40)), keys.map(([key]) => el('td', {class: 'n'}, s[key] ? number(s[key]) : ''))), 31)));
}

// Answers by tool: a bar for each tool, as long as its calls are many.
function tools() {
  const all = list('tools'), shown = all.slice(0, 12), most = Math.max(...all.map(total));
  if (!all.length) return;
  const draw = width => svg('svg', {class: 'days', role: 'img', viewBox: '0 0 ' + width + ' ' + shown.length * 40,
    'aria-label': 'Answers by tool; the numbers are in the table below'}, shown.map((tool, i) => {
    let x = 0;
    const top = i * 40, parts = answers.filter(([key]) => tool[key]).map(([key]) => {
      const long = width * tool[key] / most;
      x += long;
      return svg('rect', {class: key, x: x - long, width: long, y: top + 18, height: 14});
    });
    return svg('g', {}, svg('title', {}, plain(tool.name) + ': ' + inWords(tool)),
      svg('text', {x: 0, y: top + 13}, plain(cut(tool.name, Math.floor(width / 7) - 12))),
      svg('text', {x: width, y: top + 13, 'text-anchor': 'end'}, number(total(tool))), parts);
  }));
  section('tools', 'Answers by tool', legend(answers.filter(([key]) => all.some(tool => tool[key]))), chart(draw), asTable(tallies('', 'Tool', all)));
}

function rules() {
  const rules = list('rules'), never = list('neverHit');
  section('rules', 'Rules', tallies('Rules and checks that decided, by calls', 'Rule', rules),
    never.length ? shortTable('Rules of the settings that decided no call', [['Rule'], ['List']], never,
      rule => el('tr', {}, named(rule), el('td', {}, rule.list && badge(rule.list, rule.list)))) : []);
}

function sessions() {
  const s = report.sessions;
  if (!s.count) return;
  const row = ([name, n]) => el('tr', {}, el('th', {scope: 'row'}, name),
    el('td', {class: 'bars'}, bar({allow: 0, ask: n, deny: 0, silence: 0}, s.max || 1)), el('td', {class: 'n'}, number(n)));
  section('sessions', 'Sessions', el('p', {}, count(s.prompts, 'prompt') + ' in ' + count(s.count, 'session') + '.'),
    table('', [['Sessions'], ['', 'bars'], ['Prompts', 'n']],
      [['Half have at most', s.p50], ['Nine in ten have at most', s.p90], ['The one with the most has', s.max]].map(row)));
}

function classifier() {
  const denied = list('classifier');
  if (!denied.length) return;
  const most = Math.max(...denied.map(d => d.calls));
  section('classifier', 'Classifier denials',
    el('p', {}, 'What the agent’s own classifier denied, and how permgate answers the same calls now.'),
    table('', [['It said'], ['Now', 'bars'], ['Calls', 'n'], ['Spared by a rule', 'n']], denied.map(d => el('tr', {},
      el('th', {scope: 'row'}, code(d.word), el('ul', {class: 'examples'}, (d.examples || []).slice(0, 3).map(text => el('li', {}, code(text, 120))))),
      el('td', {class: 'bars'}, bar(d.now, most), el('small', {}, inWords(d.now))),
      el('td', {class: 'n'}, number(d.calls)), el('td', {class: 'n'}, number(d.spared))))));
}

function reading() {
  const skipped = list('skipped'), unsaid = list('unsaid'), lines = report.lines;
  const odd = [['unknown', 'of an unknown kind'], ['torn', 'torn'], ['newer', 'of a newer format'], ['duplicates', 'seen before']];
  const words = odd.filter(([key]) => lines[key]).map(([key, word]) => number(lines[key]) + ' ' + word);
  section('reading', 'What was read',
    report.read ? el('p', {}, count(report.read, 'call') + ' read = ' + number(report.decided) + ' decided + ' +
      number(sum(skipped, s => s.calls)) + ' skipped.') : '',
    lines.read ? el('p', {}, count(lines.read, 'line') + ' read' + (words.length ? ', of them ' + join(words) : '') + '.') : '',
    skipped.length ? table('Calls that were skipped', [['Reason'], ['Calls', 'n']], skipped.map(s =>
      el('tr', {}, el('th', {scope: 'row'}, visible(s.why)), el('td', {class: 'n'}, number(s.calls))))) : '',
    unsaid.length ? [el('h3', {}, 'What is not known'), el('ul', {}, unsaid.map(text => el('li', {}, visible(text))))] : []);
}
