// A server of `impasse serve`, a browser, and files that are removed afterwards.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const PROGRAM = process.env.IMPASSE;
if (!PROGRAM) throw new Error('IMPASSE names the program to be tested');

export const corpus = (name) => readFileSync(new URL(`../../../corpus/${name}`, import.meta.url), 'utf8');

// A browser that is installed here; root has no sandbox.
export const launch = (...args) => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
});

// Serves a text under a name, for as long as a test takes.
export async function serve(t, name, text, ...options) {
  const folder = mkdtempSync(join(tmpdir(), 'impasse-page-'));
  const file = join(folder, name);
  writeFileSync(file, text);
  const child = spawn(PROGRAM, ['serve', ...options, file]);
  t.after(() => { child.kill(); rmSync(folder, { recursive: true }); });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (data) => { said += data; if (said.includes('\n')) resolve(said.trim()); });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const workers = () => pidsOf(child.pid).length;
  return { url, file, folder, child, workers, read: () => readFileSync(file, 'utf8') };
}

// The state of a process and its parent; nothing if there is none.
function statusOf(pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    return state === 'Z' ? null : Number(parent);
  } catch { return null; }
}
export const isRunning = (pid) => statusOf(pid) !== null;
export const pidsOf = (parent) => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && statusOf(pid) === parent);

// A page whose mistakes are mistakes of the test.
export async function open(t, browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  const mistakes = [];
  page.on('pageerror', (e) => mistakes.push(e.message));
  page.on('console', (m) => { if (m.type() === 'error') mistakes.push(m.text()); });
  page.on('dialog', (d) => { mistakes.push(`a dialog: ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => { if (!r.url().startsWith(new URL(url).origin) && !/^(blob|data):/.test(r.url())) mistakes.push(`asked for ${r.url()}`); });
  page.setDefaultTimeout(60000);
  await page.goto(url);
  await page.waitForSelector('#tab-text, #notice:not([hidden])');
  return { page, mistakes };
}

export const until = async (test, what, time = 30000) => {
  const start = Date.now();
  while (!(await test())) {
    if (Date.now() - start > time) throw new Error(`in vain: ${what}`);
    await new Promise((r) => setTimeout(r, 50));
  }
};

export async function downloaded(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}
