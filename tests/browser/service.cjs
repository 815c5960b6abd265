// Walks through the page of the service in Chromium and prints what was there to see, as JSON; service_test.py judges it.
// Usage: NODE_PATH=node_modules node service.cjs SERVED.json FOLDER     (FOLDER: for what is saved)
// SERVED: the `address` of a service with keys of an `owner` of the node `seed`, an `analyst` and an `admin`; and `demo`, an address and a key.
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const { address, owner, analyst, admin, seed, demo } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const folder = path.resolve(process.argv[3]);
const hang = 30 * 60 * 1000;  // milliseconds: a loaded machine is slow, a hang is longer

// Everything a page must not do is collected while it is open, and the questions that it puts.
async function open(browser, { width = 1280, colorScheme = 'light', at = address } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  context.setDefaultTimeout(hang);
  const page = await context.newPage();
  const faults = [], asked = [];
  page.on('console', (message) => { if (!/status of 40[013]/.test(message.text())) faults.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (!request.url().startsWith(at) && !request.url().startsWith('blob:')) faults.push(`request: ${request.url()}`);
    if (request.url().endsWith('/rank')) asked.push(request.postData());
  });
  await page.addInitScript(() => addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  await page.goto(at);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  return { page, context, faults, asked, close: () => context.close() };
}

const texts = (page, selector) => page.$$eval(selector, (all) => all.map((element) => element.textContent.trim()));
const count = (page, selector) => page.$$eval(selector, (all) => all.length);
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const stored = (page) => page.evaluate(() => ({ session: { ...sessionStorage }, local: { ...localStorage }, cookies: document.cookie, address: location.href }));
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);

async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
}

// The view before has a table too: a row is one of the keys when it is in theirs.
const keyRow = '[aria-label="All keys"] tbody tr';

async function signIn(page, key) {
  await page.fill('#key', key);
  await page.keyboard.press('Enter');
}

// By keyboard alone.
async function choose(page, name) {
  await page.focus('[role=combobox]');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(name);
  await page.waitForFunction((wanted) => [...document.querySelectorAll('[role=option]')].some((option) => option.textContent === wanted), name);
  const found = await texts(page, '[role=option]');
  for (let place = await page.$eval('[role=combobox]', (input) => Number(input.getAttribute('aria-activedescendant').split('-').at(-1))); found[place] !== name; ++place)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  return found;
}
const priced = (page) => page.waitForSelector('button.main:not(:disabled)');

const free = (page) => page.waitForFunction(() => document.querySelector('.price')?.textContent.startsWith('Free'));

const meter = (page) => page.$eval('.question [role=meter]', (element) => ({ now: Number(element.ariaValueNow), max: Number(element.ariaValueMax), words: element.ariaValueText }));
const rows = (page) => page.$$eval('.ranking li', (all) => all.map((row) => ({
  name: row.querySelector('.name').textContent, number: row.querySelector('.number').textContent,
  bar: row.querySelector('.bar').getBoundingClientRect().width, noise: row.querySelector('.noise line')?.getBoundingClientRect().width ?? 0,
})));

async function wrongKey(browser) {
  const { page, faults, close } = await open(browser);
  await signIn(page, 'not a key of anybody');
  await page.waitForSelector('[role=alert]');
  const seen = { alert: await texts(page, '[role=alert]'), stored: await stored(page), focused: await focused(page), violations: await violations(page), faults };
  await close();
  return seen;
}

// Sign in, search, see the cost, ask, read, reload, sign out.
async function journey(browser) {
  const { page, faults, asked, close } = await open(browser);
  const seen = {};
  await signIn(page, owner);
  await page.waitForSelector('[role=combobox]');
  seen.found = await choose(page, seed);
  await priced(page);
  seen.before = { price: await texts(page, '.price'), button: await texts(page, 'button.main'), meter: await meter(page), asked: asked.length };
  await page.keyboard.press('Enter');
  await page.waitForSelector('.ranking');
  await page.waitForSelector('button.done');
  await free(page);
  seen.focused = await focused(page);
  seen.rows = await rows(page);
  seen.asked = asked.length;
  seen.after = { price: await texts(page, '.price'), meter: await meter(page) };
  seen.picture = { nodes: await count(page, '.picture .node'), lines: await count(page, '.picture line, .picture path'), label: await page.getAttribute('.picture', 'aria-label') };
  seen.promises = await texts(page, '.promise dt');
  seen.words = await texts(page, '.promise dd');
  await page.click('details.why > summary');
  await page.waitForSelector('.steps');
  seen.steps = await texts(page, '.steps h3');
  seen.theorem = await texts(page, '.theorem');
  await page.click('.steps details:has(code) > summary:has(code)');
  seen.machine = await texts(page, '.steps details[open] pre');
  await page.click('text=Check it again');
  await page.waitForSelector('.seal');
  seen.seal = await texts(page, '.seal');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save the answer')]);
  await download.saveAs(path.join(folder, download.suggestedFilename()));
  seen.saved = download.suggestedFilename();
  seen.stored = await stored(page);
  await page.reload();
  await page.waitForSelector('.ranking');
  await free(page);
  seen.reloaded = { rows: await rows(page), meter: await meter(page) };
  await page.check('.choices label:last-child input');
  await page.fill('[aria-label=Epsilon]', '1000');
  await page.waitForSelector('.question .problem');
  seen.tooMuch = { words: await texts(page, '.question .problem'), disabled: await page.isDisabled('.question > button'), asked: asked.length };
  await page.click('text=Sign out');
  await page.waitForSelector('#key');
  seen.left = await stored(page);
  await page.reload();
  await page.waitForSelector('#key');
  await close();
  return { ...seen, faults };
}

// Anybody's node, in edge scope, found by the beginning of its name; then from the artefact that serves everybody.
async function anybody(browser) {
  const { page, faults, close } = await open(browser);
  await signIn(page, analyst);
  await page.waitForSelector('[role=combobox]');
  const found = await choose(page, 'member 7');
  await priced(page);
  await page.click('button.main');
  await page.waitForSelector('.ranking');
  const seen = { found, rows: await rows(page), protects: (await texts(page, '.promise dd'))[0] };
  await page.check('.choices label:first-child input');
  await priced(page);
  seen.shared = { button: await texts(page, 'button.main') };
  await page.click('button.main');
  await page.waitForSelector('.ranking');
  seen.shared.rows = await rows(page);
  await close();
  return { ...seen, faults };
}

// `hushwalk serve --demo`, as somebody meets it first.
async function first(browser) {
  const { page, faults, close } = await open(browser, { at: demo.address });
  await signIn(page, demo.key);
  await page.waitForSelector('[role=combobox]');
  const found = await choose(page, '1');
  await priced(page);
  const button = await texts(page, 'button.main');
  await page.click('button.main');
  await page.waitForSelector('.ranking');
  await free(page);
  const seen = { found, button, rows: await rows(page), meter: await meter(page) };
  await close();
  return { ...seen, faults };
}

// Every view, looked at by axe, at every width and in both colours.
async function view(browser, width, colorScheme) {
  const { page, faults, close } = await open(browser, { width, colorScheme });
  const seen = { width, colorScheme, views: {} };
  const look = async (name) => { seen.views[name] = { overflow: await overflow(page), violations: await violations(page) }; };
  await look('sign in');
  await signIn(page, owner);
  await page.waitForSelector('[role=combobox]');
  await page.click('[role=combobox]');
  await page.waitForSelector('[role=option]');
  await look('search');
  await page.keyboard.press('Escape');
  await choose(page, seed);
  await priced(page);
  await look('cost');
  await page.click('button.main');
  await page.waitForSelector('.ranking');
  await page.click('details.why > summary');
  await page.waitForSelector('.steps');
  await page.$$eval('.steps details', (all) => all.forEach((drawer) => { drawer.open = true; }));
  await look('answer');
  seen.background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.click('text=Sign out');
  await signIn(page, admin);
  await page.waitForSelector('.figures');
  await look('ledger');
  await page.click('nav >> text=Keys');
  await page.waitForSelector(keyRow);
  await look('keys');
  await close();
  return { ...seen, faults };
}

async function administration(browser) {
  const { page, faults, close } = await open(browser);
  const seen = {};
  await signIn(page, admin);
  await page.waitForSelector('.figures');
  seen.figures = await texts(page, '.figures dt');
  seen.numbers = await texts(page, '.figures dd');
  seen.chart = await page.$eval('.time', (drawing) => ({ label: drawing.getAttribute('aria-label'), spent: drawing.querySelector('.spent').getBoundingClientRect().width }));
  seen.recipients = await page.$$eval('tbody tr', (all) => all.map((row) => row.querySelector('td').textContent));
  await page.click('nav >> text=Keys');
  await page.waitForSelector(keyRow);
  seen.keys = await texts(page, keyRow);
  await page.fill('#name', 'Somebody <i>new</i>');
  await page.fill('#seed', seed);
  await page.click('text=Make a key');
  await page.waitForSelector('.secret');
  const key = (await texts(page, '.secret'))[0];
  await page.waitForFunction(([row, before]) => document.querySelectorAll(row).length > before, [keyRow, seen.keys.length]);
  seen.more = await texts(page, keyRow);

  // The key opens the page, until it is revoked. The service looks for new keys every second.
  const other = await open(browser);
  for (;;) {
    await signIn(other.page, key);
    await other.page.waitForSelector('[role=alert], [role=combobox]');
    if (await count(other.page, '[role=combobox]')) break;
    await other.page.waitForTimeout(300);
  }
  seen.opened = await texts(other.page, '.role');
  const row = page.locator(keyRow, { hasText: 'Somebody' });
  await row.locator('text=Revoke').click();
  await row.locator('text=Really revoke').click();
  await page.waitForSelector('.pill.off');
  do {
    await other.page.waitForTimeout(300);
    await other.page.reload();
    await other.page.waitForSelector('[role=alert], [role=combobox]');
  } while (await count(other.page, '[role=combobox]'));
  seen.closed = await texts(other.page, '[role=alert]');
  await other.close();
  await close();
  return { ...seen, faults: [...faults, ...other.faults] };
}

async function themed(browser) {
  const { page, faults, close } = await open(browser);
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await colour();
  await page.click('button.theme');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  const after = await colour();
  await page.reload();
  await page.waitForSelector('#key');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  const reloaded = await colour();
  await close();
  return { before, after, reloaded, faults };
}

// Nothing is lost when the service is away: the page says so, and can be asked to try again.
async function away(browser) {
  const { page, context, close } = await open(browser);
  await signIn(page, owner);
  await page.waitForSelector('[role=combobox]');
  await choose(page, seed);
  await priced(page);
  await context.setOffline(true);
  await page.click('.choices label:first-child');
  await page.waitForSelector('.question [role=alert]');
  const said = await texts(page, '.question [role=alert]');
  await context.setOffline(false);
  await page.click('.question [role=alert] button');
  await priced(page);
  const price = await texts(page, '.price');
  await close();
  return { said, price };
}

// A script that came in would not run.
async function intruder(browser) {
  const { page, faults, close } = await open(browser);
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
  const seen = {
    first: await first(browser), wrongKey: await wrongKey(browser), anybody: await anybody(browser), journey: await journey(browser), administration: await administration(browser),
    themed: await themed(browser), away: await away(browser), intruder: await intruder(browser), views: [],
  };
  for (const [width, scheme] of [[1280, 'light'], [390, 'dark'], [390, 'light'], [1920, 'dark']]) seen.views.push(await view(browser, width, scheme));
  await browser.close();
  console.log(JSON.stringify(seen));
}

look().catch((error) => { console.error(error); process.exit(1); });
