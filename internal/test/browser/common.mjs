// What tests of pages share. Each check prints a line, with a tab and what is wrong where it fails.
import {chromium} from 'playwright-core';

const browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

// open shows a page, and collects what it must not do. own are the further requests that it may make.
export async function open(url, {own = [], ...options} = {}) {
  const page = await (await browser.newContext({viewport: {width: 1200, height: 900}, ...options})).newPage();
  page.wrong = [];
  page.asked = [];
  page.on('console', message => page.wrong.push(message.type() + ': ' + message.text()));
  page.on('pageerror', error => page.wrong.push(error.message));
  page.on('dialog', dialog => { page.wrong.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('request', request => {
    page.asked.push(request.url());
    if (request.url() !== url && !own.includes(request.url())) page.wrong.push('request: ' + request.url());
  });
  await page.goto(url);
  return page;
}

export function same(got, want, what = '') {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what} is ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

// checks returns a function that opens a page, looks at it and says what is wrong.
export const checks = open => async (name, file, look, options) => {
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
};

export const background = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
export const focused = page => page.evaluate(() => document.activeElement.textContent || document.activeElement.id);

// What a text has to differ from what it is on, by WCAG: 4.5 to 1, or 3 to 1 where it is large.
export const faint = () => {
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

export async function end() {
  await browser.close();
  console.log('done');
}
