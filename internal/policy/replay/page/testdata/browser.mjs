// Looks at pages in Chromium. Prints a line for each check, with a tab and what is wrong where it fails.
//
//   node browser.mjs FOLDER    with small.html, big.html, plain.html and empty.html in FOLDER
import {pathToFileURL} from 'node:url';
import {background, checks, end, faint, focused, open as openURL, same} from './common.mjs';

const [, , folder, screenshots] = process.argv;

async function open(name, options = {}) {
  const page = await openURL(pathToFileURL(folder + '/' + name).href, options);
  page.report = await page.evaluate(() => JSON.parse(document.getElementById('report').textContent));
  return page;
}

const check = checks(open);
const status = page => page.getByRole('status').textContent();
const shown = (page, selector) => page.locator('#rows tbody tr:not(.details) ' + selector).allTextContents();
const says = n => n.toLocaleString('en');

await check('sections', 'small.html', async page => {
  same(await page.locator('h2').allTextContents(), ['Totals', 'Refused by a person, allowed now', 'What changes', 'Over time', 'Stops by day and session',
    'Prompts by command', 'Answers by tool', 'Rules',
    'Sessions', 'What was read', 'Classifier denials', 'Every difference'], 'headings');
  same(await page.locator('.alarm strong').textContent(), '2 calls that a person refused would be allowed.', 'alarm');
  same(await page.locator('.group').first().locator('.refused').textContent(), '2 refused before', 'first group');
  same(await page.locator('#days svg g').count(), page.report.days.length, 'days');
  same(await page.locator('#stops svg g').count(), new Set(page.report.stops.map(s => s.day)).size, 'days with stops');
  same(await page.locator('#stops svg rect').count(), page.report.stops.reduce((n, s) => n + (s.ask > 0) + (s.deny > 0), 0), 'stops of sessions');
  same(await page.locator('#tools svg g').count(), page.report.tools.length, 'tools');
  same(await page.locator('#tools svg g > title').first().textContent(), 'Bash: 6,200 allowed, 930 asked about, 50 denied, 700 left to the agent', 'a tool');
  await page.getByRole('button', {name: 'Show all 14'}).click();
  same(await page.locator('#commands tbody tr').count(), 14, 'commands');
});

await check('empty', 'empty.html', async page => {
  same(await page.locator('section').count(), 0, 'sections');
  same(await page.locator('h1').textContent(), 'No calls were found', 'headline');
});

await check('nothing compared', 'plain.html', async page => {
  same(await page.locator('#overruled .badge').allTextContents(), ['allowed'], 'groups');
  same(await page.locator('#changes, #rows, .lead').count(), 0, 'differences');
});

await check('text', 'small.html', async page => {
  await page.getByRole('searchbox').fill('alert(1)');
  const {text} = page.report.rows.at(-1);
  same(await shown(page, '.open'), [text.replace('\u202e', '\\u202e').replace('\n', '\\n')], 'call');
  await page.locator('#rows .open').click();
  same(await page.locator('.details pre').textContent(), text.replace('\u202e', '\\u202e'), 'details');
  same(await page.evaluate(() => [document.scripts.length, document.images.length]), [2, 0], 'scripts, images');
});

await check('search', 'small.html', async page => {
  await page.getByRole('searchbox').fill('BUILD  rm');
  const want = page.report.rows.filter(row => row.text.includes('rm -rf build'));
  same(await status(page), `${want.length} of 260 rows, ${want.reduce((n, row) => n + row.calls, 0)} calls`, 'status');
  same(await shown(page, '.open'), want.slice(0, 50).map(row => row.text), 'rows');
  await page.getByRole('searchbox').fill('no such call');
  same(await page.locator('.pager').textContent(), '← BackNothing matchesNext →', 'pager');
});

await check('filters', 'small.html', async page => {
  const button = page.getByRole('button', {name: 'Newly denied'});
  await button.click();
  same(await button.getAttribute('aria-pressed'), 'true', 'pressed');
  same([...new Set(await shown(page, '.badge'))], ['allow → deny'], 'kinds');
  await page.getByRole('button', {name: 'All 260'}).click();
  await page.getByRole('combobox', {name: 'Rule'}).selectOption({index: 2});
  const rule = (await shown(page, 'td:nth-child(4)'))[0], n = page.report.rows.filter(row => row.by === rule).length;
  same([...new Set(await shown(page, 'td:nth-child(4)'))], [rule], 'rules');
  same((await status(page)).split(',')[0], `${n} of 260 rows`, 'status');
  await page.locator('#changes .group', {hasText: 'Bash(docker:*)'}).getByRole('button').click();
  same([...new Set(await shown(page, 'td:nth-child(4)'))], ['Bash(docker:*)'], 'rules of a group');
  await page.locator('.alarm').getByRole('button').click();
  same(await shown(page, '.refused'), Array(4).fill('refused before'), 'refused');
});

await check('sort', 'small.html', async page => {
  const head = page.getByRole('columnheader', {name: 'Calls'}).last();
  const calls = page.report.rows.map(row => row.calls).sort((a, b) => a - b);
  await head.getByRole('button').click();
  same([await head.getAttribute('aria-sort'), await shown(page, '.n')], ['ascending', calls.slice(0, 50).map(says)], 'calls');
  await head.getByRole('button').click();
  same([await head.getAttribute('aria-sort'), await shown(page, '.n')], ['descending', calls.reverse().slice(0, 50).map(says)], 'calls');
});

await check('keyboard', 'small.html', async page => {
  const text = i => page.report.rows[i].text, keys = page.keyboard;
  await keys.press('/');
  same(await focused(page), 'search', 'focus after /');
  await keys.type('/');
  same(await page.getByRole('searchbox').inputValue(), '/', 'a second / is text');
  await keys.press('Backspace');
  await keys.press('ArrowDown');
  same(await focused(page), text(0), 'focus after the arrow');
  same(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid', 'outline');
  await keys.press('ArrowDown');
  await keys.press('Enter');
  same(await page.locator('.details dd').first().textContent(), 'ask before, allow now', 'details');
  await keys.press('Enter');
  same(await page.locator('.details').count(), 0, 'details after a second Enter');
  await keys.press('End');
  same(await focused(page), text(49), 'focus after End');
  await keys.press('ArrowDown');
  same(await focused(page), text(50), 'focus on the next page');
  await keys.press('ArrowUp');
  same(await focused(page), text(49), 'focus on the page before');
  await keys.press('Tab');
  same(await focused(page), 'Next →', 'focus after the rows');
});

await check('themes', 'small.html', async page => {
  const light = await background(page), theme = page.getByRole('button', {name: 'Dark'});
  await page.emulateMedia({colorScheme: 'dark'});
  const dark = await background(page);
  if (light === dark) throw new Error('one background in both themes');
  same(await theme.getAttribute('aria-pressed'), 'true', 'pressed in the dark');
  await theme.click();
  same([await background(page), await theme.getAttribute('aria-pressed')], [light, 'false'], 'after the button');
  await page.emulateMedia({colorScheme: 'light'});
  await theme.click();
  same(await background(page), dark, 'after the button');
  await page.reload();
  same(await background(page), light, 'the theme after a reload');
});

await check('50,000 rows', 'big.html', async page => {
  same(page.report.rows.length, 50_000, 'rows');
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  if (elements > 3000) throw new Error(elements + ' elements');
  await page.getByRole('searchbox').fill('out-49997');
  same(await shown(page, '.open'), [page.report.rows[49_997].text], 'found');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('columnheader', {name: 'When'}).getByRole('button').click();
  await page.getByRole('columnheader', {name: 'When'}).getByRole('button').click();
  same((await shown(page, '.open'))[1], page.report.rows[49_998].text, 'the last but one');
});

for (const colorScheme of ['light', 'dark']) {
  await check('contrast, ' + colorScheme, 'small.html', async page => {
    await page.locator('#rows .open').first().click();
    same(await page.evaluate(faint), [], 'too faint');
  }, {colorScheme});
}

for (const colorScheme of ['light', 'dark']) {
  for (const width of [390, 800, 1600]) {
    await check(`${width} px, ${colorScheme}`, 'small.html', async page => {
      if (screenshots) await page.screenshot({path: `${screenshots}/replay-${width}-${colorScheme}.png`, fullPage: true});
      same(await page.evaluate(() => document.documentElement.scrollWidth), width, 'width');
      const rule = page.locator('#rules tbody tr').first();
      same(await rule.locator('.counts').isVisible(), width === 390, 'counts in words');
      same(await rule.locator('.n').first().isVisible(), width !== 390, 'columns of counts');
      await page.locator('#tools summary').click();
      const beyond = await page.evaluate(() => [...document.querySelectorAll('.tally :is(th, td)')].filter(e =>
        e.offsetParent && e.getBoundingClientRect().right > e.closest('section').getBoundingClientRect().right).length);
      same(beyond, 0, 'cells that are cut off');
    }, {colorScheme, viewport: {width, height: 900}});
  }
}

await check('narrow', 'small.html', async page => {
  await page.locator('#rows .open').first().click();
  same(await page.evaluate(() => document.documentElement.scrollWidth), 360, 'width');
}, {viewport: {width: 360, height: 700}});

await check('print', 'small.html', async page => {
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  same([await page.getByRole('searchbox').isVisible(), await page.locator('#rows .open').first().isVisible()], [false, true], 'visible');
  await page.evaluate(() => { document.documentElement.dataset.theme = 'dark'; });
  same(await background(page), 'rgb(255, 255, 255)', 'paper');
});

await check('accessible', 'small.html', async page => {
  same(await page.evaluate(() => [...document.querySelectorAll('table')].filter(table =>
    !table.caption && !document.getElementById(table.getAttribute('aria-labelledby'))).length), 0, 'tables without a name');
  same(await page.locator('th:not([scope])').count(), 0, 'th without a scope');
  for (const role of ['banner', 'navigation', 'main', 'contentinfo', 'status', 'search']) {
    same(await page.getByRole(role).count(), 1, role);
  }
});

const page = await open('small.html');
const ran = await page.evaluate(() => {
  document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = true'}));
  document.body.setAttribute('onclick', 'window.ran = true');
  document.body.click();
  return window.ran === true;
});
console.log('policy' + (ran || page.wrong.length !== 2 ? '\tanother script ran: ' + ran + ', ' + page.wrong : ''));

await end();
