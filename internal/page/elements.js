'use strict';
// What pages are made of. Texts become text nodes, never HTML.

const answers = [
  ['allow', 'allowed', 'allowed'], ['ask', 'asked about', 'asked'], ['deny', 'denied', 'denied'], ['silence', 'left to the agent', 'left'],
];

function build(e, attrs, kids) {
  for (const [name, value] of Object.entries(attrs)) {
    if (typeof value === 'function') e.addEventListener(name, value);
    else if (value !== false && value !== undefined) e.setAttribute(name, value);
  }
  e.append(...kids.flat(3).filter(kid => kid || kid === 0));
  return e;
}

const el = (name, attrs = {}, ...kids) => build(document.createElement(name), attrs, kids);
const svg = (name, attrs = {}, ...kids) =>
  build(document.createElementNS('http://www.w3.org/2000/svg', name), attrs, kids);

// Characters that show nothing, or change how others are shown.
const hidden = /([\p{C}\p{Zl}\p{Zp}\p{VS}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|(?! )\p{Zs})/u;
const short = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

function escaped(character) {
  const hex = character.codePointAt(0).toString(16);
  return short[character] || (hex.length > 4 ? '\\U' + hex.padStart(8, '0') : '\\u' + hex.padStart(4, '0'));
}

// A text with such characters as marked escapes; line breaks and tabs may stay.
const visible = (text, lines) => text.split(hidden).map((part, i) =>
  i % 2 === 0 || (lines && (part === '\n' || part === '\t')) ? part : el('span', {class: 'esc'}, escaped(part)));
const plain = text => text.split(hidden).map((part, i) => i % 2 ? escaped(part) : part).join('');

const badge = (name, text) => el('span', {class: 'badge ' + name}, text);
const cut = (text, n) => text.length > n ? text.slice(0, n) + '…' : text;
const code = (text, most = 300) => el('code', {}, visible(cut(text, most)));

const number = n => n.toLocaleString('en');
const count = (n, what) => number(n) + ' ' + what + (n === 1 ? '' : 's');
const total = tally => answers.reduce((sum, [key]) => sum + tally[key], 0);
const time = t => t && !t.startsWith('0001') ? t.slice(0, 16).replace('T', ' ') + (t.endsWith('Z') ? ' UTC' : t.slice(-6)) : '';

function share(n, of) {
  const percent = Math.round(100 * n / of);
  if (percent === 0 && n > 0) return 'under 1%';
  return percent === 100 && n < of ? 'over 99%' : percent + '%';
}

const inWords = tally => answers.filter(([key]) => tally[key]).map(([key, word]) => number(tally[key]) + ' ' + word).join(', ');

// Segments of one bar, as long as its tally is of most.
function bar(tally, most) {
  let x = 0;
  const parts = answers.map(([key]) => {
    const width = 100 * tally[key] / most;
    x += width;
    return width > 0 && svg('rect', {class: key, x: x - width, width, height: 10});
  });
  return svg('svg', {class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    parts.filter(part => part), svg('title', {}, inWords(tally)));
}

const legend = keys => el('ul', {class: 'legend'}, keys.map(([key, word]) => el('li', {class: key}, word)));

function table(caption, heads, rows, attrs = {}) {
  return el('div', {class: 'scroll'}, el('table', attrs, caption && el('caption', {}, caption),
    el('thead', {}, el('tr', {}, heads.map(([text, kind]) => el('th', {scope: 'col', class: kind || ''}, text)))),
    el('tbody', {}, rows)));
}

// A table that begins with the first rows; the others are made when asked for.
function shortTable(caption, heads, items, row, first = 10) {
  const div = table(caption, heads, items.slice(0, first).map(row), {class: heads.some(([, kind]) => kind === 'bars') && 'tally'});
  if (items.length <= first) return div;
  const more = el('button', {type: 'button', click: () => {
    const added = items.slice(first).map(row);
    div.querySelector('tbody').append(...added);
    more.remove();
    added[0].tabIndex = -1;
    added[0].focus();
  }}, 'Show all ' + number(items.length));
  return [div, more];
}

// The name of a rule or command, and where it is written.
const named = (item, ...more) => el('th', {scope: 'row'}, code(item.name, 120), item.place && el('span', {class: 'place'}, visible(item.place)), more);

// Tallies with names: a bar each, and a column for every answer there is; in words below the name where that is too wide.
function tallies(caption, head, items) {
  if (!items.length) return [];
  const keys = answers.filter(([key]) => items.some(item => item[key]));
  const most = Math.max(...items.map(total));
  const row = item => el('tr', {}, named(item, el('small', {class: 'counts'}, inWords(item))), el('td', {class: 'bars'}, bar(item, most)),
    keys.map(([key]) => el('td', {class: 'n'}, item[key] ? number(item[key]) : '')));
  return [keys.length > 1 ? legend(keys) : '',
    shortTable(caption, [[head], ['Share', 'bars'], ...keys.map(([, , word]) => [word, 'n'])], items, row)];
}

// A chart, drawn again whenever there is another width for it.
function chart(draw) {
  const box = el('div', {class: 'chart'});
  let drawn = 0;
  new ResizeObserver(() => {
    const width = box.clientWidth;
    if (Math.abs(width - drawn) < 1 || width < 100) return;
    drawn = width;
    box.replaceChildren(draw(width));
  }).observe(box);
  return box;
}

// A section with a heading, and a link to it at the top; none without content.
// A table without a caption has its name from the heading.
function section(id, title, ...content) {
  const kids = content.flat(2).filter(kid => kid);
  if (!kids.length) return;
  document.querySelector('nav').append(el('a', {href: '#' + id}, title));
  const all = el('section', {id, 'aria-labelledby': id + '-title'}, el('h2', {id: id + '-title'}, title), kids);
  for (const table of all.querySelectorAll('table:not(:has(caption))')) table.setAttribute('aria-labelledby', id + '-title');
  document.getElementById('main').append(all);
}

// The theme is the system's until the button says otherwise; it is not kept.
function theme() {
  const button = document.getElementById('theme'), system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  const tell = () => button.setAttribute('aria-pressed', dark());
  button.addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    tell();
  });
  system.addEventListener('change', tell);
  tell();
}
