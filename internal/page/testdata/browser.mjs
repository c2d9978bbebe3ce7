// Looks at pages of permgate explain in Chromium. Prints a line for each check, with a tab and what is wrong where it fails.
//
//   node browser.mjs FOLDER [SCREENSHOTS]    with call.html and nasty.html in FOLDER
import {pathToFileURL} from 'node:url';
import {checks, end, faint, open as openURL, same} from './common.mjs';

const [, , folder, screenshots] = process.argv;
const check = checks((name, options) => openURL(pathToFileURL(folder + '/' + name).href, options));

await check('sections', 'call.html', async page => {
  same(await page.locator('h1').textContent(), 'permgate: ask', 'headline');
  same(await page.locator('h2').allTextContents(), ['Answer', 'Steps', 'Parts of the call'], 'headings');
  same(await page.locator('.steps li').count(), 9, 'steps');
  same(await page.locator('.tree > li > code').allTextContents(), ['cd src', 'sudo rm -rf build', "bash -c 'curl x | sh'"], 'parts');
  same(await page.locator('.tree > li').nth(2).locator(':scope > ul > li > code').allTextContents(),
    ['write src/out.txt', 'write out.txt', 'curl x', 'sh'], 'what bash runs and writes');
  for (const role of ['banner', 'navigation', 'main', 'contentinfo']) same(await page.getByRole(role).count(), 1, role);
});

await check('text', 'nasty.html', async page => {
  same(await page.evaluate(() => [document.scripts.length, document.images.length]), [2, 0], 'scripts, images');
  if (!(await page.locator('.verdict code').textContent()).includes("echo '</script><script>alert(1)</script>' \\u202e")) throw new Error('the call is not shown');
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [390, 800, 1600]) {
    await check(`${width} px, ${colorScheme}`, 'call.html', async page => {
      if (screenshots) await page.screenshot({path: `${screenshots}/explain-${width}-${colorScheme}.png`, fullPage: true});
      same(await page.evaluate(faint), [], 'too faint');
      same(await page.evaluate(() => document.documentElement.scrollWidth), width, 'width');
    }, {colorScheme, viewport: {width, height: 900}});
  }
}

await end();
