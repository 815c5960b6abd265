// Opens pages in Chromium and prints what is there to see, as JSON; report_test.py judges it.
// Usage: NODE_PATH=node_modules node look.cjs FOLDER   (with sample.html, bare.html, demo.html and reproduction.html)
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const folder = path.resolve(process.argv[2]);
const hang = 30 * 60 * 1000;  // milliseconds: a loaded machine is slow, a hang is longer

// Everything a page must not do is collected while it is open.
async function open(browser, file, { width = 1280, colorScheme = 'light', javaScriptEnabled = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled });
  context.setDefaultTimeout(hang);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && request.url() !== address) faults.push(`request: ${request.url()}`);
  });
  const address = `file://${folder}/${file}.html`;
  await page.goto(address);
  return { page, faults, close: () => context.close() };
}

const ready = (page) => page.waitForSelector('html[data-ready]', { state: 'attached' });
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const sizes = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => {
  const { width, height } = element.getBoundingClientRect();
  return { width, height };
}));

const texts = (page, selector) => page.$$eval(selector, (all) => all.map((element) => element.textContent));

async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
}

async function drawn(browser, file, width, colorScheme) {
  const { page, faults, close } = await open(browser, file, { width, colorScheme });
  await ready(page);
  const seen = {
    file, width, colorScheme, overflow: await overflow(page),
    plots: await sizes(page, '.plot'), drawings: await sizes(page, '.plot svg.marks'),
    figures: await page.$$eval('figure', (all) => all.length), openDrawers: await page.$$eval('details.data[open]', (all) => all.length),
    markup: await page.$$eval('[onclick]', (all) => all.length),
    legends: await page.$$eval('.plot', (plots) => plots.map((plot) => ({
      right: plot.getBoundingClientRect().right,
      labels: [...plot.querySelectorAll('.role-legend-label text')].map((label) => ({ text: label.textContent, right: label.getBoundingClientRect().right })),
    }))),
    ids: await page.$$eval('figure', (all) => all.map((figure) => figure.id)),
    titles: await page.$$eval('figure h3 a', (all) => all.map((title) => title.textContent)),
    ndcg: await texts(page, '#ndcg .role-axis:nth-of-type(n+2) .role-axis-label text'),
    difference: await texts(page, '#eta-difference .role-legend-label text'),
    clubNames: await texts(page, '#club .mark-text.role-mark text'), clubLinks: await page.$$eval('#club .mark-rule.role-mark line', (all) => all.length),
    notes: await texts(page, 'p.note'),
    shadows: await page.$$eval('.scroll', (all) => all.every((box) => getComputedStyle(box).backgroundAttachment.includes('local'))),
    background: await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
  };
  await page.$$eval('details.data', (drawers) => drawers.forEach((drawer) => { drawer.open = true; }));
  seen.overflowWithTables = await overflow(page);
  if (width === (file === 'sample' ? 1280 : 390)) seen.violations = await violations(page);  // slow
  await close();
  return { ...seen, faults };
}

// Tables alone: no script on the page, or none allowed to run.
async function tablesOnly(browser, file, javaScriptEnabled) {
  const { page, faults, close } = await open(browser, file, { width: 390, javaScriptEnabled });
  const seen = { tables: await sizes(page, 'figure table'), plots: await sizes(page, '.plot'), overflow: await overflow(page) };
  await close();
  return { ...seen, faults };
}

async function exported(browser) {
  const { page, faults, close } = await open(browser, 'sample');
  await ready(page);
  const menu = page.locator('#theorem-2 .plot details').first();
  await menu.locator('summary').click();
  const links = await menu.locator('.vega-actions a').allTextContents();
  const files = {};
  for (const [link, kind] of [[0, 'svg'], [1, 'png']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), menu.locator('.vega-actions a').nth(link).click()]);
    const bytes = fs.readFileSync(await download.path());
    files[kind] = { name: download.suggestedFilename(), text: bytes.toString(kind === 'svg' ? 'utf8' : 'latin1').slice(0, 200000) };
  }
  files.png.text = files.png.text.slice(0, 8);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#plain .save a').click()]);
  const csv = { name: download.suggestedFilename(), text: fs.readFileSync(await download.path(), 'utf8') };
  await close();
  return { links, ...files, csv, faults };
}

async function themed(browser) {
  const { page, faults, close } = await open(browser, 'sample');
  await ready(page);
  const colours = () => page.evaluate(() => ({
    page: getComputedStyle(document.body).backgroundColor,
    line: document.querySelector('#theorem-2 svg.marks .mark-line path').getAttribute('stroke'),
    label: document.querySelector('#theorem-2 svg.marks .role-axis-title text').getAttribute('fill'),
  }));
  const before = await colours();
  await page.locator('button.theme').click();
  await page.waitForFunction((old) => document.querySelector('#theorem-2 svg.marks .role-axis-title text')?.getAttribute('fill') !== old, before.label);
  const after = await colours();
  await page.setViewportSize({ width: 390, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll('.plot svg.marks')].every((drawing) => drawing.getBoundingClientRect().width < innerWidth));
  const narrowed = { overflow: await overflow(page), drawings: await sizes(page, '.plot svg.marks') };
  await close();
  return { before, after, narrowed, faults };
}

// The policy is the page's own: a script that came in through a name would not run.
async function intruder(browser) {
  const { page, faults, close } = await open(browser, 'sample');
  await ready(page);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.documentElement.dataset.intruder = "here"';
    document.body.append(script);
    return document.documentElement.dataset.intruder ?? null;
  });
  await close();
  return { ran, faults };
}

async function look() {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', timeout: hang, args: require('./chromium.cjs') });
  const seen = { drawn: [] };
  for (const file of ['sample', 'demo', 'reproduction'])
    for (const width of [1280, 390])
      for (const scheme of ['light', 'dark']) seen.drawn.push(await drawn(browser, file, width, scheme));
  seen.withoutJavaScript = await tablesOnly(browser, 'sample', false);
  seen.withoutPlots = await tablesOnly(browser, 'bare', true);
  seen.exported = await exported(browser);
  seen.themed = await themed(browser);
  seen.intruder = await intruder(browser);
  await browser.close();
  console.log(JSON.stringify(seen));
}

look().catch((error) => { console.error(error); process.exit(1); });
