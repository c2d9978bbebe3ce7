// Looks at pages in Chromium. Prints a line for each check, with a tab and what is wrong where it fails.
//
//   node browser.mjs CHROMIUM FOLDER    with small.html, big.html, plain.html and empty.html in FOLDER
import {chromium} from 'playwright-core';
import {pathToFileURL} from 'node:url';

const [, , executablePath, folder] = process.argv;
const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync']});

// open shows a page, and collects what it must not do.
async function open(name, options = {}) {
  const url = pathToFileURL(folder + '/' + name).href;
  const page = await (await browser.newContext({viewport: {width: 1200, height: 900}, ...options})).newPage();
  page.wrong = [];
  page.on('console', message => page.wrong.push(message.type() + ': ' + message.text()));
  page.on('pageerror', error => page.wrong.push(error.message));
  page.on('dialog', dialog => { page.wrong.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('request', request => { if (request.url() !== url) page.wrong.push('request: ' + request.url()); });
  await page.goto(url);
  page.report = await page.evaluate(() => JSON.parse(document.getElementById('report').textContent));
  return page;
}

function same(got, want, what = '') {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what} is ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

async function check(name, file, look, options) {
  const page = await open(file, options);
  page.setDefaultTimeout(20_000);
  try {
    await look(page);
    same(page.wrong, [], 'what the page must not do');
    console.log(name);
  } catch (error) {
    console.log(name + '\t' + error.message.replace(/\s+/g, ' '));
  }
  await page.context().close();
}

const status = page => page.getByRole('status').textContent();
const shown = (page, selector) => page.locator('#rows tbody tr:not(.details) ' + selector).allTextContents();
const says = n => n.toLocaleString('en');
const background = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const focused = page => page.evaluate(() => document.activeElement.textContent || document.activeElement.id);

await check('sections', 'small.html', async page => {
  same(await page.locator('h2').allTextContents(), ['Totals', 'Refused by a person, allowed now', 'What changes', 'Over time', 'Prompts by command', 'Tools', 'Rules',
    'Sessions', 'What was read', 'Classifier denials', 'Every difference'], 'headings');
  same(await page.locator('.alarm strong').textContent(), '2 calls that a person refused would be allowed.', 'alarm');
  same(await page.locator('.group').first().locator('.refused').textContent(), '2 refused before', 'first group');
  same(await page.locator('.days g').count(), page.report.days.length, 'days');
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

// What a text has to differ from what it is on, by WCAG: 4.5 to 1, or 3 to 1 where it is large.
const faint = () => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const blend = colours => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = rgb => rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const out = new Set();
  for (const e of document.querySelectorAll('body *')) {
    const text = [...e.childNodes].some(node => node.nodeType === 3 && node.data.trim()), style = getComputedStyle(e);
    if (!text || e.closest('script, noscript, title, :disabled') || !e.getClientRects().length) continue;
    const under = [];
    for (let at = e; at; at = at.parentElement) under.unshift(getComputedStyle(at).backgroundColor);
    const colour = e.ownerSVGElement ? style.fill : style.color;
    const [a, b] = [light(blend(under)), light(blend([...under, colour]))].sort((a, b) => b - a);
    const large = parseFloat(style.fontSize) >= 24;
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) out.add(e.tagName + ' ' + e.textContent.slice(0, 30) + ' ' + ((a + 0.05) / (b + 0.05)).toFixed(2));
  }
  return [...out];
};
for (const colorScheme of ['light', 'dark']) {
  await check('contrast, ' + colorScheme, 'small.html', async page => {
    await page.locator('#rows .open').first().click();
    same(await page.evaluate(faint), [], 'too faint');
  }, {colorScheme});
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

await browser.close();
console.log('done');
