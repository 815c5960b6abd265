// Opens every page of the documentation in Chromium and prints what went wrong and what is there to see, as JSON; site_test.py judges it.
// Usage: NODE_PATH=node_modules node site.cjs FOLDER
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const folder = path.resolve(process.argv[2]);
const hang = 30 * 60 * 1000;  // milliseconds: a loaded machine is slow, a hang is longer

const pages = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
  .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
  .filter((name) => !name.startsWith('_static')).sort();

async function look() {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', timeout: hang, args: require('./chromium.cjs') });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(hang);
  const page = await context.newPage();
  let faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => faults.push(`not there: ${request.url()}`));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) faults.push(`request: ${request.url()}`); });
  const seen = {};
  for (const name of pages) {
    faults = [];
    await page.goto(`file://${folder}/${name}`, { waitUntil: 'load' });
    const { title, images, words, formulas } = await page.evaluate(() => ({
      title: document.querySelector('h1')?.textContent ?? '', words: document.body.innerText.length,
      images: [...document.images].map((image) => ({ from: image.src, width: image.naturalWidth, words: image.alt })),
      formulas: [...document.querySelectorAll('math[display=block]')].map((formula) => {
        const { width, height } = formula.getBoundingClientRect();
        return { width, height, text: formula.textContent };
      }),
    }));
    seen[name] = { title, images, words, formulas, faults };
  }
  await browser.close();
  console.log(JSON.stringify(seen));
}

look().catch((error) => { console.error(error); process.exit(1); });
