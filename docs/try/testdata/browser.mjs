// Looks at the page in Chromium. Prints a line for each check, with a tab and what is wrong where it fails.
//
//   node browser.mjs FOLDER URL [SCREENSHOTS]    with calls.json in FOLDER; screenshots are written to a folder
import fs from 'node:fs';
import {background, checks, end, faint, open as openURL, same} from './common.mjs';

const [, , folder, url, screenshots] = process.argv;
const own = ['try.css', 'try.js', 'permgate.bin'].map(name => url + name);

async function open(fragment, options = {}) {
  if (fragment === null) return openURL('about:blank', {own: [...own, url], ...options});
  const page = await openURL(url + fragment, {own: [...own, url], ...options});
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, {timeout: 300_000});
  page.loaded = page.asked.length;
  return page;
}

const check = checks(open);
const verdict = page => page.locator('#result .verdict strong').textContent();
const quiet = page => same(page.asked.length, page.loaded, 'requests after load');
const median = list => list.sort((a, b) => a - b)[list.length >> 1];

await check('decides', '', async page => {
  same(await verdict(page), 'ask', 'first answer');
  same(await page.locator('#result .steps li').count(), 9, 'steps');
  same(await page.locator('#result .steps .num').allTextContents(), ['1', '2', '3', '3b', '4', '5', '6', '7', '9'], 'steps');
  same(await page.locator('#result .tree > li > code').allTextContents(), ['git status', 'rm -rf build'], 'parts');
  same(await page.locator('#result .tree ul > li > code').allTextContents(), ['write build'], 'effects');
  await page.getByLabel('Command', {exact: true}).fill('git log');
  same(await verdict(page), 'allow', 'a covered command');
  same(await page.locator('#result .facts dd').first().textContent(), 'allowBash(git:*) ~/.claude/settings.json:3', 'the rule that decided');
  await page.getByLabel('~/.claude/settings.json').fill('{"permissions": {"deny": ["Bash(git log)"]}}');
  same(await verdict(page), 'deny', 'a denied command');
  await page.getByLabel('~/.claude/settings.json').fill('{"permissions": {"deny": 1}}');
  same(await verdict(page), 'ask', 'broken settings');
  same(await page.locator('.remarks li').count(), 1, 'the fault');
  await page.getByLabel('Command', {exact: true}).fill('');
  same(await page.locator('#result .alarm').textContent(), 'No answer no command given', 'no command');
  await page.getByLabel('Tool').fill('Read');
  await page.getByLabel('file path, or the input as JSON').fill('{"file_path"');
  same(await page.locator('#result .alarm').textContent(), 'No answer the input begins like JSON and is none', 'half an input');
  quiet(page);
});

// What the thread of the page works, by the clock of the thread: the machine may be busy with something else. The program
// is held back between compiling and starting.
const hold = () => {
  const real = WebAssembly.instantiate;
  const go = new Promise(resolve => { window.release = resolve; });
  WebAssembly.instantiate = async (...args) => {
    const made = await real(...args);
    document.documentElement.dataset.compiled = 'yes';
    await go;
    return made;
  };
};

async function worked(session, run) {
  const time = async () => (await session.send('Performance.getMetrics')).metrics.find(m => m.name === 'ThreadTime').value;
  const before = await time();
  await run();
  return 1000 * (await time() - before);
}

await check('time', null, async page => {
  await page.addInitScript(hold);
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.compiled, null, {timeout: 300_000});
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  const first = await worked(session, async () => {
    await page.evaluate(() => release());
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, {timeout: 300_000});
  });
  const type = text => worked(session, () => page.evaluate(value => {
    const field = document.getElementById('text');
    field.value = value;
    field.dispatchEvent(new Event('input'));
  }, text));
  const next = await type('cd src && sudo rm -rf build'), later = [];
  for (let i = 0; i < 21; i++) later.push(await type('cd src && make -j' + i + ' | tee out.txt'));
  console.log(`# start and first answer ${first.toFixed(0)} ms, the next ${next.toFixed(0)} ms, then ${median(later).toFixed(0)} ms (median of 21)`);
  if (next > 100 || median(later) > 100) throw new Error('an answer takes longer than 100 ms');
});

await check('examples', '', async page => {
  const list = page.getByLabel('Example'), names = await list.locator('option').allTextContents();
  same(names.length, 31, 'examples');
  for (const [i, name] of names.entries()) {
    if (i === 0) continue;
    await list.selectOption({index: i});
    if (!name.endsWith(`(${await verdict(page)})`)) throw new Error(`${name} is answered ${await verdict(page)}`);
  }
  quiet(page);
});

await check('link', '', async page => {
  await page.getByLabel('Command', {exact: true}).fill('echo "„ü😀</script>" | sudo tee /etc/x');
  await page.getByLabel('Agent program').selectOption('codex');
  await page.getByLabel('Mode of the session').selectOption('acceptEdits');
  await page.getByRole('button', {name: 'Copy a link'}).click();
  const link = await page.evaluate(() => location.href), other = await open(link.slice(url.length));
  for (const id of ['text', 'host', 'mode', 'gate', 'settings']) {
    same(await other.locator('#' + id).inputValue(), await page.locator('#' + id).inputValue(), id);
  }
  same(await verdict(other), await verdict(page), 'answer');
  if (!(await other.locator('#gate').inputValue()).includes('"codex"')) throw new Error('permgate.json is not that of the program');
  await other.evaluate(() => { location.hash = '#s=' + btoa(JSON.stringify({text: ['x'], tool: 7, second: {settings: 1}, host: 'nowhere'})); });
  await other.waitForFunction(() => document.getElementById('text').value.startsWith('git status'));
  same([await other.locator('#host').inputValue(), await verdict(other)], ['claude', 'ask'], 'a link with a host that is none');
  for (const bad of ['#s=%%%', '#s=AAAA', '#' + 'x'.repeat(9999), '#main']) {
    await other.evaluate(hash => { location.hash = hash; }, bad);
    await other.waitForTimeout(50);
    same(await verdict(other), 'ask', bad.slice(0, 20));
  }
  same(other.wrong, [], 'what the page must not do');
  await other.context().close();
});

await check('compare', '', async page => {
  await page.getByRole('button', {name: 'Compare'}).click();
  await page.waitForFunction(() => document.querySelector('#proof h3'), null, {timeout: 300_000});
  same(await page.locator('#proof h3').textContent(), 'No call is answered differently by the second policy.', 'the same policy twice');
  await page.getByLabel('settings.json of the second policy').fill('{"permissions": {"allow": ["Bash(git:*)"], "deny": ["Read(.env)"]}}');
  await page.waitForSelector('#proof tbody tr', {timeout: 300_000});
  same(await page.locator('#proof tbody th button').allTextContents(), ['npm run test'], 'the shortest call');
  await page.locator('#proof tbody button').first().click();
  same([await page.locator('#text').inputValue(), await verdict(page)], ['npm run test', 'allow'], 'the call, tried');
  same(await page.locator('#result2 .verdict strong').textContent(), 'left to the agent', 'the second policy');
  same(await page.evaluate(() => document.activeElement.id), 'answer', 'focus');
  same(await page.locator('main > section').evaluateAll(all => all.map(s => s.id)), ['call', 'policy', 'answer'], 'order for the keyboard');
  quiet(page);
});

await check('keyboard', '', async page => {
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const id = await page.evaluate(() => {
      const e = document.activeElement;
      return e === document.body ? '' : (getComputedStyle(e).outlineStyle === 'none' ? 'no outline: ' : '') + (e.id || e.textContent);
    });
    if (!id) break;
    seen.push(id);
  }
  same(seen, ['Skip to the answer', 'Call', 'Answer', 'Policy', 'theme', 'example', 'tool', 'mode', 'host', 'text', 'settings',
    '~/.claude/permgate.json', 'compare', 'copy'], 'what Tab reaches');
  await page.locator('#text').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('ls');
  same(await verdict(page), 'left to the agent', 'typed');
});

await check('skip link', '', async page => {
  await page.getByLabel('Command', {exact: true}).fill('git log');
  await page.keyboard.press('Shift+Tab');
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(400);
  same([await page.evaluate(() => document.activeElement.id), await page.locator('#text').inputValue(), await verdict(page)],
    ['answer', 'git log', 'allow'], 'after the skip link');
  if (!page.url().includes('#s=')) throw new Error('the link no longer carries the state: ' + page.url());
});

await check('accessible', '', async page => {
  same(await page.evaluate(() => [...document.querySelectorAll('input, select, textarea')].filter(e => !e.labels.length).length), 0, 'fields without a label');
  same(await page.evaluate(() => [...document.querySelectorAll('textarea')].map(e => e.labels[0].textContent).filter(name => !/Command|json/.test(name))), [], 'names that say nothing alone');
  await page.getByLabel('Command', {exact: true}).fill('rm -rf /');
  await page.waitForFunction(() => document.getElementById('spoken').textContent.startsWith('deny: '));
  for (const role of ['banner', 'navigation', 'main', 'contentinfo']) same(await page.getByRole(role).count(), 1, role);
});

await check('themes', '', async page => {
  const light = await background(page);
  await page.emulateMedia({colorScheme: 'dark'});
  if (light === await background(page)) throw new Error('one background in both themes');
  await page.getByRole('button', {name: 'Dark'}).click();
  same(await background(page), light, 'after the button');
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [390, 800, 1600]) {
    await check(`${width} px, ${colorScheme}`, '', async page => {
      const shot = name => screenshots && page.screenshot({path: `${screenshots}/${name}-${width}-${colorScheme}.png`, fullPage: true});
      await shot('try');
      same(await page.evaluate(faint), [], 'too faint');
      await page.getByRole('button', {name: 'Compare'}).click();
      await page.getByLabel('settings.json of the second policy').fill('{"permissions": {"allow": ["Bash(*)"]}}');
      await page.waitForSelector('#proof tbody tr', {timeout: 300_000});
      await page.locator('#policy summary').first().click();
      await shot('compare');
      same(await page.evaluate(faint), [], 'too faint');
      same(await page.evaluate(() => document.documentElement.scrollWidth), width, 'width');
      same(await page.locator('#proof tbody').getByText('Bash(*)').locator('visible=true').count(), 1, 'the rule that makes the difference');
      same(await page.evaluate(() => new Set(['tool', 'mode', 'host'].map(id => document.getElementById(id).offsetHeight)).size), 1, 'heights of the fields');
    }, {colorScheme, viewport: {width, height: 900}});
  }
}

await check('calls', '', async page => {
  const calls = JSON.parse(fs.readFileSync(folder + '/calls.json', 'utf8')), wrong = [];
  for (let i = 0; i < calls.length; i += 100) {
    const some = calls.slice(i, i + 100);
    const got = await page.evaluate(list => list.map(request => permgate(request)), some.map(call => call.Request));
    some.forEach((call, k) => { if (got[k] !== call.Want) wrong.push(call.ID); });
  }
  console.log(`# ${calls.length} calls, ${wrong.length} answered otherwise than by the program`);
  same(wrong.slice(0, 20), [], 'answered otherwise');
  quiet(page);
});

const page = await open('');
const left = await page.evaluate(async () => {
  const tried = await Promise.allSettled([fetch('http://127.0.0.1:1/'), fetch('https://example.com/'), navigator.sendBeacon('https://example.com/', 'x') ? 1 : Promise.reject(new Error())]);
  document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = true'}));
  return [tried.slice(0, 2).filter(t => t.status === 'fulfilled').length, window.ran === true];
});
console.log('nothing leaves' + (JSON.stringify(left) === '[0,false]' ? '' : '\tanother place was asked, or a script ran: ' + left));

await end();
