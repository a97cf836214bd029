// The text of the model: line numbers, mistakes where they are, and the lines of the last step. What is typed is looked at when the
// typing stops, and used if it has no mistakes. Nothing is written to disk but by the button that says so.

import { el, show } from './dom.js';
import { call, latest, wasAborted } from './api.js';

const PAUSE = 500;

// How the views stand to the text: they show it, it has not been looked at, or they cannot.
export const [USED, PENDING, WRONG] = ['used', 'pending', 'wrong'];

export class Editor {
  // `adopt` takes a text without mistakes; `told` hears that it has changed whether the text is one that is used; `hasViews` says
  // whether some text is shown.
  constructor({ adopt, which, told, hasViews }) {
    Object.assign(this, { adopt, which, told, hasViews, mistakes: [], lines: new Set(), timer: 0, standing: USED });
    this.gutter = el('div', { class: 'gutter', 'aria-hidden': 'true' });
    this.back = el('pre', { 'aria-hidden': 'true' });
    this.area = el('textarea', { id: 'text', spellcheck: 'false', autocomplete: 'off', wrap: 'off', 'aria-label': 'The text of the model', 'aria-describedby': 'mistakes' });
    this.list = el('ul', { class: 'mistakes', id: 'mistakes', 'aria-live': 'polite' });
    this.status = el('span', { class: 'note', role: 'status' });
    this.save = el('button', { type: 'button', id: 'save', onclick: () => this.write() }, 'Save to the file');
    this.undo = el('button', { type: 'button', id: 'undo', onclick: () => this.revert() }, 'Undo all changes');
    this.area.addEventListener('input', () => this.typed());
    this.area.addEventListener('scroll', () => this.scrolled());
    this.root = el('div', {},
      el('div', { class: 'tools' }, this.save, this.undo, this.status),
      el('div', { class: 'editor' }, this.gutter, el('div', { class: 'sheet' }, this.back, this.area)), this.list);
  }

  open(text, { editable, canSave }) {
    clearTimeout(this.timer);
    this.read(text ?? '');
    this.area.value = this.original;
    this.area.readOnly = !editable;
    this.canSave = canSave;
    Object.assign(this, { mistakes: [], problem: null });
    this.status.textContent = editable ? '' : 'The text is too long to be edited here.';
    this.stand(USED);
    this.draw();
  }

  // A text as it is in the file. A text area has ends of lines of its own: those of the file are put back when it is saved.
  read(text) {
    this.file = text;
    this.ending = /\r\n/.test(text) ? '\r\n' : '\n';
    this.original = text.replace(/\r\n?/g, '\n');
  }

  // Whether there is something that would be lost.
  get changed() { return this.area.value !== this.original; }

  stand(standing) {
    this.standing = standing;
    this.told();
  }

  // The lines of the last step.
  mark(lines) {
    this.lines = new Set(lines);
    this.draw();
  }

  typed() {
    this.draw();
    clearTimeout(this.timer);
    this.status.textContent = '…';
    this.stand(PENDING);
    this.timer = setTimeout(() => this.look(), PAUSE);
  }

  async look() {
    if (this.area.readOnly) return;
    const text = this.area.value;
    try {
      const outline = await latest('outline', 'outline', { model: { ...this.which(), text } });
      if (text !== this.area.value) return;
      this.mistakes = outline.mistakes;
      this.problem = outline.problem;
      this.draw();
      const wrong = this.mistakes.some((m) => m.severity === 'error') || this.problem;
      this.status.textContent = !wrong ? 'The views show this text.'
        : this.hasViews() ? 'The views show the text as it was before the mistake.' : 'There is nothing to see until the mistakes are gone.';
      this.stand(wrong ? WRONG : USED);
      if (!wrong) this.adopt(text);
    } catch (e) {
      if (!wasAborted(e)) this.status.textContent = e.message;
    }
  }

  revert() {
    this.area.value = this.original;
    this.typed();
  }

  async write() {
    try {
      const text = this.area.value.replace(/\n/g, this.ending);
      await call('save', { text, before: this.file });
      this.read(text);
      this.status.textContent = 'Saved.';
    } catch (e) {
      this.status.textContent = e.message;
    }
    this.draw();
  }

  draw() {
    const text = this.area.value;
    const lines = text.split('\n');
    this.save.disabled = !this.canSave || !this.changed;
    this.undo.disabled = !this.changed;
    this.undo.hidden = this.area.readOnly;
    this.save.hidden = !this.canSave;
    const wrong = new Map();
    this.mistakes.forEach((m) => { if (!wrong.has(m.start.line)) wrong.set(m.start.line, m); });
    // One text where nothing is to be marked: a long model has many lines.
    if (!wrong.size && !this.lines.size) {
      this.gutter.textContent = lines.map((_, i) => i + 1).join('\n');
    } else {
      const part = (i) => el('span', { class: wrong.has(i) ? 'wrong' : this.lines.has(i) ? 'taken' : undefined }, `${wrong.has(i) ? '✗ ' : ''}${i}`);
      const marked = lines.map((_, i) => i + 1);
      const out = [];
      let plain = '';
      marked.forEach((i) => {
        if (wrong.has(i) || this.lines.has(i)) { out.push(plain, part(i)); plain = '\n'; } else plain += `${i}\n`;
      });
      show(this.gutter, ...[...out, plain].map((p) => (typeof p === 'string' ? document.createTextNode(p) : p)));
    }
    const back = [];
    if (wrong.size) {
      let from = 0;
      [...wrong.keys()].sort((a, b) => a - b).forEach((i) => {
        back.push(lines.slice(from, i - 1).map((l) => `${l}\n`).join(''));
        const m = wrong.get(i);
        const line = [...(lines[i - 1] ?? '')];
        const end = m.end.line === m.start.line ? m.end.column - 1 : line.length;
        const [a, b] = [Math.min(m.start.column - 1, line.length), Math.max(end, m.start.column)];
        back.push(line.slice(0, a).join(''), el('mark', { class: m.severity }, line.slice(a, b).join('') || ' '), line.slice(b).join(''),
          el('span', { class: `said ${m.severity}` }, `   ← ${m.message}`), '\n');
        from = i;
      });
    }
    this.back.replaceChildren(...back);
    const items = this.mistakes.map((m) => el('li', {}, el('button', { type: 'button', onclick: () => this.goTo(m) },
      `${m.severity} in line ${m.start.line}: ${m.message}${m.label ? ` (${m.label})` : ''}${m.help ? `; ${m.help}` : ''}`)));
    show(this.list, this.problem ? el('li', {}, this.problem) : null, ...items);
    this.scrolled();
  }

  goTo({ start }) {
    const lines = this.area.value.split('\n');
    // Columns count characters, positions halves of those beyond the first 65,536.
    const before = [...(lines[start.line - 1] ?? '')].slice(0, start.column - 1).join('');
    const at = lines.slice(0, start.line - 1).reduce((sum, l) => sum + l.length + 1, 0) + before.length;
    this.area.focus();
    this.area.setSelectionRange(at, at);
  }

  scrolled() {
    this.back.scrollTop = this.area.scrollTop;
    this.back.scrollLeft = this.area.scrollLeft;
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
