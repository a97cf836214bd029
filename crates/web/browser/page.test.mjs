// The page as people use it: in a real browser, with a real server.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { corpus, downloaded, isRunning, launch, open, pidsOf, serve, until } from './harness.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const PHILOSOPHERS = corpus('philosophers.imp');
const where = (page) => page.locator('#where').textContent();
const reaches = (page, text) => until(async () => (await where(page)).includes(text), `“${text}”`);

test('a person steps to the deadlock by hand, sees why, and goes back', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  assert.equal(await page.locator('h1').textContent(), 'philosophers');
  assert.equal(await page.locator('#enabled button').count(), 5);
  for (let i = 0; i < 5; i++) {
    await page.locator('#enabled button', { hasText: `Phil[${i}].thinking->hungry` }).click();
    await reaches(page, `After step ${i + 1}: Phil[${i}] is hungry`);
    if (i === 1) {
      await page.locator('#cannot summary').click();
      // A neighbour has the other fork, and the page says who.
      await page.locator('#disabled li', { hasText: 'fork[1] is held by Phil[1]' }).waitFor();
    }
  }
  await reaches(page, 'Deadlock');
  assert.equal(await page.locator('#enabled button').count(), 0);
  await page.click('#tab-waiting');
  assert.equal(await page.locator('.sentences .cycle').count(), 5);
  assert.match(await page.locator('.sentences .cycle').first().textContent(), /Phil\[0\] waits for fork\[1\], held by Phil\[1\]/);
  await page.locator('.canvas img').waitFor();
  // The chart has grown along.
  await page.click('#tab-chart');
  await page.locator('.canvas img[alt*="sequence chart"]').waitFor();
  // Where everybody is: lit in the automata, told in the system.
  await page.click('#tab-automata');
  assert.equal(await page.locator('.automata .current', { hasText: 'hungry' }).count(), 5);
  await page.click('#tab-system');
  await page.locator('svg text', { hasText: 'held by Phil[4]' }).waitFor();
  // Undo by button, by key; jump along the run.
  await page.click('#back');
  await reaches(page, 'After step 4 of 5');
  await page.locator('#views').focus();
  await page.keyboard.press('Home');
  await reaches(page, 'The initial state');
  await page.keyboard.press('ArrowRight');
  await reaches(page, 'After step 1 of 5');
  await page.keyboard.press('End');
  await reaches(page, 'Deadlock');
  await page.locator('#steps button', { hasText: '3. ' }).click();
  await reaches(page, 'After step 3 of 5');
  await page.keyboard.press('Home');
  await page.keyboard.press('2');
  await reaches(page, 'After step 1: Phil[1] is hungry');
  assert.deepEqual(mistakes, []);
});

test('a check finds the deadlock; its run is replayed; everything can be taken away', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  await page.click('#start');
  await page.locator('.result[data-verdict=violated]').waitFor();
  assert.match(await page.locator('.result').textContent(), /there is a deadlock/);
  assert.match(await page.locator('.result pre').textContent(), /Phil\[0\] waits for fork\[1\], held by Phil\[1\]/);
  await page.locator('.replay').click();
  await reaches(page, 'Run of deadlock-free. After step 1 of 5');
  await page.click('#play');
  const paused = await where(page);
  await page.waitForTimeout(1500);
  assert.equal(await where(page), paused, 'a pause is one');
  await page.click('#play');
  await reaches(page, 'Deadlock');
  const button = (text) => page.locator('#downloads button', { hasText: text });
  const report = await downloaded(page, button('report (HTML)'));
  assert.equal(report.name, 'philosophers.html');
  assert.match(report.text, /there is a deadlock/);
  assert.ok(!/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg)/.test(report.text.replace(/data:image[^"]*/g, '')), 'it needs nothing else');
  const trace = JSON.parse((await downloaded(page, button('trace'))).text);
  assert.deepEqual([trace.schema, trace.stem.length], ['impasse-trace-1', 5]);
  // A colleague opens the saved trace.
  const colleague = await open(t, browser, url);
  await colleague.page.locator('#trace').setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(trace)) });
  await reaches(colleague.page, 'Run of deadlock-free. After step 1 of 5');
  for (const [name, wrong] of [['no.json', {}], ['half.json', { schema: trace.schema }], ['odd.json', { ...trace, stem: [7] }]]) {
    await colleague.page.locator('#trace').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(wrong)) });
    await colleague.page.locator('#notice', { hasText: `${name} is no trace` }).waitFor();
  }
  assert.match((await downloaded(page, button('chart'))).text, /^<svg/);
  assert.match((await downloaded(page, button('who waits'))).text, /^<svg/);
  // The report stands alone, offline and without scripts.
  const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
  t.after(() => context.close());
  const alone = await context.newPage();
  await alone.setContent(report.text);
  assert.equal(await alone.locator('figure img').count(), 2);
  assert.equal(await alone.locator('li.taken').count(), 2, 'the lines of the run are marked');
  assert.deepEqual(mistakes, []);
});

test('the text can be edited: mistakes are shown where they are, nothing is written without a click', async (t) => {
  const { url, read } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  await page.click('#tab-text');
  await page.locator('#text').fill(PHILOSOPHERS.replace('acquire fork[i]', 'acquire frok[i]'));
  await page.locator('.sheet .said', { hasText: 'there is no `frok`' }).waitFor();
  assert.equal(await page.locator('.sheet mark').textContent(), 'frok');
  assert.match(await page.locator('.gutter .wrong').textContent(), /9/);
  assert.match(await page.locator('#mistakes').textContent(), /line 9.*did you mean `fork`/);
  const fixed = PHILOSOPHERS.replace('param n = 5', 'param n = 3').replace(/\nexpect .*/, '');
  await page.locator('#text').fill(fixed);
  await until(async () => (await page.locator('#about').textContent()).includes('3 processes'), 'the text is used');
  assert.equal(await page.locator('.sheet .said').count(), 0);
  await page.click('#start');
  await page.locator('.result[data-verdict=violated]').waitFor();
  assert.match(await page.locator('.result pre').textContent(), /3 steps lead to a deadlock/);
  assert.equal(read(), PHILOSOPHERS, 'the file is as it was');
  await page.click('#save');
  await until(() => read() === fixed, 'it is saved');
  assert.deepEqual(mistakes, []);
});

test('a file with a mistake is opened at its text', async (t) => {
  const { url } = await serve(t, 'wrong.imp', 'process P { states a\n a -> b\n}\nproperty deadlock-free\n');
  const { page } = await open(t, browser, url);
  await page.locator('#notice', { hasText: 'line 2' }).waitFor();
  await page.locator('.sheet .said').first().waitFor();
  await page.locator('.tools .note', { hasText: 'There is nothing to see until the mistakes are gone.' }).waitFor();
  await page.locator('#text').fill(PHILOSOPHERS);
  await page.locator('.tools .note', { hasText: 'The views show this text.' }).waitFor();
  await reaches(page, 'The initial state');
});

test('a sound model is never said to be unreadable, and who has no server any more is told what to do', async (t) => {
  const { url, child } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.said = [];
    document.addEventListener('DOMContentLoaded', () => {
      const obstacle = document.getElementById('obstacle');
      new MutationObserver(() => window.said.push(obstacle.textContent)).observe(obstacle, { childList: true });
    });
  });
  await page.goto(url);
  await reaches(page, 'The initial state');
  const said = await page.evaluate(() => window.said);
  assert.ok(said.includes('The model is being read.'), said.join());
  assert.ok(!said.includes('The model cannot be read.'), said.join());
  child.kill();
  await until(() => !isRunning(child.pid), 'the server is gone');
  await page.click('#start');
  await page.locator('.result', { hasText: 'the server is gone; start impasse serve again' }).waitFor();
});

test('other origins, other hosts and strangers are refused', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { port, pathname } = new URL(url);
  const page404 = await fetch(`http://127.0.0.1:${port}/`);
  assert.equal(page404.status, 404);
  // A page of somebody else who even knows the token.
  const evil = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>evil</title>');
  });
  await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
  t.after(() => evil.close());
  const rebinding = await launch(`--host-resolver-rules=MAP evil.test 127.0.0.1`);
  t.after(() => rebinding.close());
  const page = await rebinding.newPage();
  const answers = [];
  page.on('response', (r) => { if (r.url().includes(pathname)) answers.push(r.status()); });
  await page.goto(`http://127.0.0.1:${evil.address().port}/`);
  const steal = (target, init) => page.evaluate(([target, init]) => fetch(target, init).then((r) => r.text().then((text) => `${r.status} ${text}`), () => 'blocked'), [target, init]);
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  assert.equal(await steal(`${url}api/open`, json), 'blocked');
  assert.equal(await steal(`${url}api/open`, { method: 'POST', body: '{}' }), 'blocked');
  assert.equal(await steal(`${url}api/open`, { method: 'POST', body: '{}', mode: 'no-cors' }), 'blocked');
  assert.equal(await steal(url, {}), 'blocked');
  // A name of somebody else that points here.
  await page.goto(`http://evil.test:${port}${pathname}`);
  assert.match(await page.locator('body').textContent(), /for 127\.0\.0\.1 only/);
  assert.match(await steal(`http://evil.test:${port}${pathname}api/open`, json), /^421 /);
  assert.deepEqual(answers, [421, 421], 'what is not blocked is refused');
  // And without a browser that would block it.
  const foreign = await fetch(`${url}api/open`, { ...json, headers: { ...json.headers, Origin: 'http://evil.test' } });
  assert.equal(foreign.status, 403);
  // In a frame of somebody else there is nothing, either.
  await page.goto(`http://127.0.0.1:${evil.address().port}/`);
  await page.evaluate((url) => new Promise((done) => { const f = document.createElement('iframe'); f.onload = done; f.src = url; document.body.append(f); }), url);
  const inner = await page.frames()[1]?.evaluate(() => document.querySelector('h1')?.textContent ?? '').catch(() => '');
  assert.notEqual(inner, 'philosophers');
});

test('what nobody waits for any more is ended', async (t) => {
  const { url, workers } = await serve(t, 'large.imp', LARGE);
  const { page, mistakes } = await open(t, browser, url);
  await page.selectOption('#engine', 'explore');
  await page.click('#start');
  await page.locator('#progress', { hasText: 'states' }).waitFor();
  await until(async () => /[1-9][\d,]* states, [\d,]+ a second.*at work: explore/.test(await page.locator('#progress').textContent()), 'progress is told');
  assert.ok(workers() >= 1);
  await page.click('#cancel');
  await page.locator('#progress', { hasText: 'Cancelled' }).waitFor();
  await until(() => workers() === 0, 'the worker has ended', 5000);
  // So does a page that is closed.
  await page.click('#start');
  await until(() => workers() >= 1, 'a check runs');
  await page.close();
  await until(() => workers() === 0, 'the worker has ended', 5000);
  assert.deepEqual(mistakes, []);
});

test('the states: all of them, and those that a reduced search needs', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  await page.click('#tab-space');
  await page.locator('#space-full', { hasText: '242 states, 805 transitions' }).waitFor();
  const [all, ghosts] = [page.locator('#space-full .node'), page.locator('#space-reduced .node.ghost')];
  assert.equal(await all.count(), 242);
  const kept = 242 - (await ghosts.count());
  assert.match(await page.locator('#space-reduced').textContent(), new RegExp(`persistent sets: ${kept} states`));
  assert.ok(kept < 121, 'a reduced search saves more than half');
  assert.equal(await page.locator('#space-reduced .deadlock:not(.ghost)').count(), 1, 'and keeps the deadlock');
  await page.click('#tab-prefix');
  await page.locator('.canvas img').waitFor();
  assert.deepEqual(mistakes, []);
});

test('a net with ten thousand transitions does not freeze the page', async (t) => {
  const { url } = await serve(t, 'ring.lola', ring(10_000));
  const { page, mistakes } = await open(t, browser, url);
  await watched(page);
  assert.match(await page.locator('#about').textContent(), /10,000 transitions/);
  assert.ok(await page.locator('#enabled button').count() <= 200);
  for (const tab of ['net', 'space', 'prefix', 'waiting', 'text']) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(400);
    assert.ok(await page.locator('#panel *').count() < 4000, `${tab} is drawn in a level of detail`);
  }
  await page.click('#tab-net');
  await page.locator('.note', { hasText: 'this is the part around' }).waitFor();
  await page.locator('#filter').fill('step777');
  await page.locator('#enabled button', { hasText: 'step777' }).waitFor();
  await until(async () => (await page.locator('#enabled button').count()) === 1, 'a name finds a transition');
  await page.locator('#enabled button').first().click();
  await reaches(page, 'After step 1');
  await isFluent(page);
  assert.deepEqual(mistakes, []);
});

test('nor do a thousand processes with ten thousand transitions', async (t) => {
  const { url } = await serve(t, 'many.imp', MANY);
  const { page, mistakes } = await open(t, browser, url);
  await watched(page);
  assert.match(await page.locator('#about').textContent(), /1,000 processes, .*10,000 transitions/);
  await page.locator('svg text', { hasText: 'P × 1000' }).waitFor();
  for (const tab of ['automata', 'waiting', 'text', 'system']) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(200);
    assert.ok(await page.locator('#panel *').count() < 4000, `${tab} is drawn in a level of detail`);
  }
  await page.locator('#filter').fill('P[777]');
  await page.locator('#enabled button', { hasText: 'P[777]' }).first().click();
  await reaches(page, 'After step 1');
  await page.click('#tab-chart');
  await page.locator('.canvas img[alt*="sequence chart"]').waitFor();
  await isFluent(page);
  assert.deepEqual(mistakes, []);
});

// Whether the page is drawn again and again while it is used.
const watched = (page) => page.evaluate(() => {
  window.longest = 0;
  let last = performance.now();
  const tick = (now) => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
});
const isFluent = async (page) => {
  const longest = await page.evaluate(() => window.longest);
  // Other tests may keep the machine busy: what is asked is that nothing takes for ever.
  assert.ok(longest < 5000, `the longest pause was ${longest} ms`);
};

test('names of models are text and nothing else', async (t) => {
  const bad = '<img src=x onerror=alert(1)>';
  const { url } = await serve(t, 'names.pnml', pnml(bad.replace(/</g, '&lt;')));
  const { page, mistakes } = await open(t, browser, url);
  for (const tab of ['net', 'space', 'prefix', 'waiting']) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(300);
  }
  await page.click('#tab-net');
  await page.locator('svg text', { hasText: 'img src' }).first().waitFor();
  await page.locator('#enabled button').first().click();
  await page.click('#start');
  await page.locator('.result').waitFor();
  assert.equal(await page.locator('img[src=x]').count(), 0);
  assert.deepEqual(mistakes, []);
});

test('the gallery has models that hold, with certificates', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  await page.selectOption('#which', 'philosophers-asymmetric');
  await until(async () => (await page.locator('h1').textContent()) === 'philosophers-asymmetric', 'it is chosen');
  await page.check('#certificates');
  await page.click('#start');
  await page.locator('.result[data-verdict=holds]').first().waitFor();
  const certificate = JSON.parse((await downloaded(page, page.locator('#downloads button', { hasText: 'certificate' }))).text);
  assert.match(certificate.schema, /^impasse-certificate/);
  assert.deepEqual(mistakes, []);
});

test('it can be used by keyboard and heard', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  for (const colorScheme of ['light', 'dark']) {
    const { page, mistakes } = await open(t, browser, url, { colorScheme });
    // Every control has a name.
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input, textarea, [role=button], [role=region], [role=tab]')]
      .filter((e) => !e.hidden && e.offsetParent !== null && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    // Tabs by arrows.
    await page.locator('#tab-system').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-automata');
    assert.equal(await page.locator('[role=tab][aria-selected=true]').count(), 1);
    // A step in a drawing, by keyboard.
    await page.locator('.automata g.can[role=button]').first().focus();
    await page.keyboard.press('Enter');
    await reaches(page, 'After step 1');
    assert.equal(await page.locator('#where').getAttribute('aria-live'), 'polite');
    // Enough contrast between text and paper.
    const contrast = await page.evaluate(() => {
      const light = (colour) => {
        const [r, g, b] = colour.match(/\d+(\.\d+)?/g).map(Number).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const paper = light(getComputedStyle(document.body).backgroundColor);
      return ['body', '#about', '.note', '#where', 'h2'].map((s) => light(getComputedStyle(document.querySelector(s)).color)).map((ink) => (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05));
    });
    assert.ok(contrast.every((c) => c >= 4.5), `${colorScheme}: ${contrast}`);
    assert.deepEqual(mistakes, []);
  }
});

test('who repairs a text is not torn away from it', async (t) => {
  const wrong = 'process P { states a, b\n a -> c\n}\nproperty deadlock-free\n';
  const { url } = await serve(t, 'wrong.imp', wrong);
  const { page, mistakes } = await open(t, browser, url);
  await page.locator('.sheet .said').first().waitFor();
  assert.ok(await page.locator('#start').isDisabled(), 'there is nothing to check');
  await page.locator('#text').focus();
  await page.locator('#text').fill(wrong.replace('-> c', '-> b'));
  await until(async () => (await page.locator('#about').textContent()).includes('1 process'), 'the text is used');
  await page.locator('#tab-text[aria-selected=true]').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
  await page.click('#start');
  await page.locator('.result[data-verdict=violated]').waitFor();
  assert.deepEqual(mistakes, []);
});

test('a check is about the text that is seen', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  await page.click('#start');
  await page.locator('.result').waitFor();
  await page.click('#tab-text');
  await page.locator('#text').fill(PHILOSOPHERS.replace('acquire fork[i]', 'acquire frok[i]'));
  await page.locator('#obstacle', { hasText: 'The text has mistakes' }).waitFor();
  assert.ok(await page.locator('#start').isDisabled());
  await page.locator('#text').fill(PHILOSOPHERS.replace('param n = 5', 'param n = 3').replace(/\nexpect .*/, ''));
  await page.locator('#earlier').waitFor();
  assert.ok(await page.locator('#start').isEnabled());
  await page.click('#undo');
  await page.locator('#earlier').waitFor({ state: 'hidden' });
  // A comment changes no run.
  await page.locator('#enabled button').first().click();
  await reaches(page, 'After step 1');
  await page.locator('#text').fill(`${PHILOSOPHERS}// a remark\n`);
  await page.locator('.tools .note', { hasText: 'The views show this text' }).waitFor();
  await until(async () => /After step 1/.test(await where(page)) && page.locator('#start').isEnabled(), 'the run is kept');
  // Of another model, nothing of this one is told; what was edited is asked about.
  const asked = [];
  page.removeAllListeners('dialog');
  page.once('dialog', (d) => { asked.push(d.message()); d.dismiss(); });
  await page.selectOption('#which', 'peterson');
  await until(() => asked.length === 1, 'it is asked');
  assert.equal(await page.locator('#which').inputValue(), '');
  page.once('dialog', (d) => d.accept());
  await page.selectOption('#which', 'peterson');
  await until(async () => (await page.locator('h1').textContent()) === 'peterson', 'it is chosen');
  assert.equal(await page.locator('.result').count(), 0);
  assert.deepEqual(mistakes, []);
});

test('a check of a model that is left is ended', async (t) => {
  const { url, workers } = await serve(t, 'large.imp', LARGE);
  const { page, mistakes } = await open(t, browser, url);
  await page.selectOption('#engine', 'explore');
  await page.click('#start');
  await page.locator('#progress', { hasText: 'states' }).waitFor();
  await page.selectOption('#which', 'philosophers');
  await until(async () => (await page.locator('h1').textContent()) === 'philosophers', 'it is chosen');
  await until(() => workers() === 0, 'the worker has ended', 5000);
  assert.equal(await page.locator('#progress').textContent(), '');
  assert.ok(await page.locator('#start').isEnabled());
  assert.deepEqual(mistakes, []);
});

test('workers end with a server that is killed', async (t) => {
  const { url, workers, child } = await serve(t, 'large.imp', LARGE);
  const { page } = await open(t, browser, url);
  await page.selectOption('#engine', 'explore');
  await page.click('#start');
  await until(() => workers() === 1, 'a check runs');
  const [worker] = pidsOf(child.pid);
  child.kill('SIGKILL');
  await until(() => !isRunning(worker), 'the worker has ended', 5000);
});

test('every key press is a step, and the focus stays where it was', async (t) => {
  const { url } = await serve(t, 'philosophers.imp', PHILOSOPHERS);
  const { page, mistakes } = await open(t, browser, url);
  await page.locator('#panel').focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('1');
  await reaches(page, 'After step 4');
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
  await reaches(page, 'The initial state');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await reaches(page, 'After step 3 of 4');
  const focus = () => page.evaluate(() => document.activeElement.closest('#enabled, #steps, .chips, .automata, #tabs, #play')?.className || document.activeElement.id);
  await page.locator('#steps button').nth(1).focus();
  await page.keyboard.press('Enter');
  await reaches(page, 'After step 1 of 4');
  assert.equal(await focus(), 'steps');
  await page.locator('#enabled button').first().focus();
  await page.keyboard.press('Enter');
  await reaches(page, 'After step 2');
  assert.equal(await focus(), 'choices');
  await page.click('#tab-automata');
  await page.locator('.chips button').nth(1).focus();
  await page.keyboard.press('Enter');
  assert.equal(await focus(), 'chips');
  await page.locator('.automata g.can[role=button]').first().focus();
  await page.keyboard.press('Enter');
  await reaches(page, 'After step 3');
  assert.equal(await focus(), 'automata');
  // No process at all is a choice, too.
  for (const chip of await page.locator('.chips button[aria-pressed=true]').all()) { await page.locator('.chips button[aria-pressed=true]').first().click(); assert.ok(chip); }
  await page.locator('.note', { hasText: 'No process is chosen' }).waitFor();
  // Space pauses a replay that has just begun, and does not begin it anew.
  await page.click('#start');
  await page.locator('.replay').click();
  await reaches(page, 'Run of deadlock-free. After step 1 of 5');
  await page.keyboard.press('Space');
  const paused = await where(page);
  await page.waitForTimeout(1500);
  assert.equal(await where(page), paused);
  assert.deepEqual(mistakes, []);
});

test('a saved text stays saved, with the ends of lines that it had', async (t) => {
  const text = PHILOSOPHERS.replace(/\n/g, '\r\n');
  const { url, read } = await serve(t, 'philosophers.imp', text);
  const { page, mistakes } = await open(t, browser, url);
  await page.click('#tab-text');
  assert.ok(await page.locator('#save').isDisabled(), 'nothing was changed');
  const edited = async (what) => {
    await page.locator('#text').evaluate((e, what) => { e.value = what + e.value; e.dispatchEvent(new Event('input')); }, `// ${what}\n`);
    await page.click('#save');
    await until(async () => read().startsWith(`// ${what}\r\n`) && page.locator('#save').isDisabled(), 'it is saved');
  };
  await edited('one');
  assert.equal(read(), `// one\r\n${text}`);
  await page.selectOption('#which', 'peterson');
  await until(async () => (await page.locator('h1').textContent()) === 'peterson', 'it is chosen');
  await page.selectOption('#which', '');
  await until(async () => (await page.locator('h1').textContent()) === 'philosophers', 'it is chosen');
  assert.match(await page.locator('#text').inputValue(), /^\/\/ one\n/);
  await edited('two');
  assert.deepEqual(mistakes, []);
});

test('a click on a mistake puts the caret before it, whatever the line has', async (t) => {
  const { url } = await serve(t, 'wide.pml', 'active proctype P() {\n  /* 🍴🍴 */ fork = 1\n}\n');
  const { page } = await open(t, browser, url);
  await page.locator('#mistakes button').first().click();
  assert.equal(await page.locator('#text').evaluate((e) => e.value.slice(e.selectionStart, e.selectionStart + 4)), 'fork');
});

test('a script is looked at by processes, and a run is replayed on its own', async (t) => {
  const { url } = await serve(t, 'two.csp', CSP);
  const { page, mistakes } = await open(t, browser, url);
  assert.deepEqual(await page.locator('#subject option').allTextContents(), ['GOOD', 'BAD', 'WORSE']);
  await page.click('#start');
  await until(async () => (await page.locator('.result').count()) === 3, 'all are judged');
  // Each violated claim has its own trace.
  assert.equal(await page.locator('#downloads button', { hasText: 'trace: ' }).count(), 2);
  await page.locator('.result', { hasText: 'BAD' }).locator('.replay').click();
  await reaches(page, 'Deadlock');
  assert.equal(await page.locator('#subject').inputValue(), 'BAD');
  assert.equal(await page.locator('#notice').isHidden(), true);
  // A step of two is drawn across their lanes.
  await page.locator('#steps button', { hasText: 'start' }).click();
  const chart = await page.evaluate(async () => {
    const answer = await fetch('api/step', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ model: { process: 'BAD' }, run: [0] }) });
    return JSON.parse((await answer.text()).trim()).ok.chart;
  });
  assert.match(chart, /class="arrow"/);
  assert.deepEqual(mistakes, []);
});

test('what is said is the case: nothing moves, nothing matches, nothing can fire', async (t) => {
  const marked = (marking) => ring(200).replace(/MARKING [^;]*;/, `MARKING ${marking};`);
  const { url } = await serve(t, 'dead.lola', marked('p0: 0'));
  const { page, mistakes } = await open(t, browser, url);
  await page.click('#tab-net');
  await page.locator('.note', { hasText: 'there are no tokens' }).waitFor();
  await page.click('#tab-waiting');
  await page.locator('#wait-head').waitFor();
  assert.ok(!/Everybody can move/.test(await page.locator('#wait-head').textContent()));
  const living = await serve(t, 'ring.lola', marked('p0: 1, p50: 1'));
  const other = await open(t, browser, living.url);
  await other.page.locator('#filter').fill('nowhere');
  await other.page.locator('#enabled .note', { hasText: 'None of the' }).waitFor();
  await other.page.locator('#cannot summary').click();
  await other.page.locator('#disabled .note', { hasText: 'nothing has “nowhere”' }).waitFor();
  assert.deepEqual(mistakes, []);
});

// Counters that are independent of each other: far more states than anybody waits for.
const LARGE = `param n = 12
var x[n] : 0..9
process P[i in 0..n-1] { states a
  a -> a when x[i] < 9 do x[i] := x[i] + 1
  a -> a when x[i] == 9 do x[i] := 0
}
property never: invariant x[0] <= 9
`;

// Three processes: one that goes on for ever, and two that come to an end together.
const CSP = `channel a, b
GOOD = a -> GOOD
L = a -> STOP
R = a -> b -> STOP
BAD = L [| {a} |] R
WORSE = (L [| {a} |] R) [| {b} |] STOP
assert GOOD :[deadlock free]
assert BAD :[deadlock free]
assert WORSE :[deadlock free]
`;

// Many processes that go round, each with a lock of its own.
const MANY = `param n = 1000
lock own[n]
process P[i in 0..n-1] { states a, b, c, d, e, f, g, h, k, l
  a -> b do acquire own[i]
  ${['b -> c', 'c -> d', 'd -> e', 'e -> f', 'f -> g', 'g -> h', 'h -> k', 'k -> l'].join('\n  ')}
  l -> a do release own[i]
}
property deadlock-free
`;

// A ring of places through which a few tokens go.
function ring(count) {
  const place = (i) => `p${i % count}`;
  const steps = Array.from({ length: count }, (_, i) => `TRANSITION step${i} CONSUME ${place(i)}: 1; PRODUCE ${place(i + 1)}: 1;`);
  return `PLACE ${Array.from({ length: count }, (_, i) => place(i)).join(', ')};\nMARKING p0: 1, p777: 1, p5000: 2;\n${steps.join('\n')}\n`;
}

const pnml = (name) => `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><name><text>${name}</text></name><initialMarking><text>1</text></initialMarking></place>
<place id="q"><name><text>${name}2</text></name></place>
<transition id="t"><name><text>${name}3</text></name></transition>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/>
</page></net></pnml>`;
