// One decision, as permgate explain --json has it: the answer, the steps, and the parts of the call as a tree.

// A text with the paths below the working directory as they are there.
function near(d, text) {
  const parts = (text || '').split(d.cwd ? d.cwd + '/' : '\0');
  return parts.reduce((all, rest) => all + (/(^|[\s(`"'=:])$/.test(all) ? '' : d.cwd + '/') + rest);
}

const told = answer => ({silence: 'left to the agent'}[answer] || answer);
const ruleLine = (d, rule, sure = true) => [badge(rule.list, rule.list), code(rule.text), ' ',
  el('span', {class: 'place'}, visible(placeOf(d, rule)), sure ? '' : ' (for some value of a word that is not known)')];

function placeOf(d, rule) {
  const file = d.home && (rule.file || '').startsWith(d.home + '/') ? '~' + rule.file.slice(d.home.length) : near(d, rule.file);
  return [file || rule.scope, rule.line].filter(part => part).join(':');
}

// What decided: the rule, the check, the fault or the mode.
function decider(d) {
  if (d.rule) return ruleLine(d, d.rule);
  if (d.check) return ['the check ', code(d.check)];
  return d.step === '7' ? ['the mode ', code(d.mode)] : 'step ' + d.step;
}

const facts = rows => el('dl', {class: 'facts'}, rows.filter(([, text]) => text && text.length).map(([name, text]) =>
  el('div', {}, el('dt', {}, name), el('dd', {}, typeof text === 'string' ? visible(text) : text))));

function answer(d) {
  return [
    el('p', {class: 'verdict ' + d.answer}, el('strong', {}, told(d.answer)), ' ', code(d.call, 2000)),
    el('p', {}, visible(near(d, d.reason))),
    facts([
      ['Decided by', decider(d)], ['Step', d.step + (d.origin ? ', after step ' + d.origin : '')], ['Part', d.part && code(near(d, d.part))],
      ['permgate’s own answer', d.answer === d.decision ? '' : badge(d.decision, d.decision)],
      ['The agent decides', d.silence], ['Mode', d.mode], ['Host', d.host],
    ]),
  ];
}

// The steps in the order of the policy: which answered, which had no opinion, which were not asked.
function steps(d) {
  const asked = d.steps.map(step => [step, step.decision === 'pass' ? '' : step.decision, step.reason || 'no opinion']);
  const rest = d.not_reached.map(step => [step, '', 'not reached']);
  const host = d.host_step && [[d.host_step, d.host_step.answer, d.host_step.reason]];
  return el('ol', {class: 'steps'}, [...asked, ...rest, ...host || []].map(([step, word, why]) =>
    el('li', {class: word || 'quiet'}, el('span', {class: 'num'}, step.step), el('span', {class: 'what'},
      el('strong', {}, step.name), word ? [' ', badge(word, told(word))] : ': ', el('span', {}, visible(near(d, why))),
      el('small', {class: 'about'}, step.about)))));
}

// One part: its words, the rules that match it, what it does, and what is below it.
function part(d, kids, i) {
  const p = d.parts[i], allowed = p.rules.some(rule => rule.list === 'allow');
  const notes = [
    ...p.rules.map(rule => ruleLine(d, rule, rule.sure)),
    ...p.needs_allow && !allowed ? ['no allow rule'] : [],
    ...(p.deeds || []).map(deed => [deed.does, ' ', deed.to === d.cwd && d.cwd ? 'the working directory' : code(near(d, deed.to || ''))]),
    ...(p.narrow || []).map(why => 'allow rules with patterns do not cover it: ' + near(d, why)),
    ...p.not_read_only ? ['not proven read-only: ' + near(d, p.not_read_only)] : p.read_only ? ['only reads'] : [],
  ];
  return el('li', {}, code(near(d, p.part), 500), p.via && p.via.length ? el('small', {}, ' through ' + p.via.join(', ')) : '',
    notes.map(note => el('div', {class: 'note'}, typeof note === 'string' ? visible(note) : note)),
    kids[i] ? el('ul', {}, kids[i].map(kid => part(d, kids, kid))) : '');
}

function tree(d) {
  const kids = {};
  d.parts.forEach((p, i) => (kids[p.of ?? 'top'] ||= []).push(i));
  return el('ul', {class: 'tree'}, (kids.top || []).map(i => part(d, kids, i)));
}

// What was found in the shell text, and what of the settings does not count.
function remarks(d) {
  const list = [
    ...(d.findings || []).map(f => [f.severity, code(f.check)]), ...(d.doubts || []).map(x => ['uncertain', near(d, x.message)]),
    ...(d.faults || []).map(f => [f.closed ? 'mistake in the settings' : 'skipped', near(d, f.at + ': ' + f.message)]),
    ...(d.dropped || []).map(x => ['does not count', x.rule + ': ' + x.why]), ...(d.mode_notes || []).map(note => ['mode', note]),
    ...(d.silenced || []).map(note => ['note', note]),
  ];
  return list.length ? el('ul', {class: 'remarks'}, list.map(([kind, text]) =>
    el('li', {}, el('small', {}, kind), ' ', typeof text === 'string' ? visible(text) : text))) : '';
}
