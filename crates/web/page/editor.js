// The text of the model: line numbers, mistakes where they are, and the lines of the last step. What is typed is looked at when the
// typing stops, and used if it has no mistakes. Nothing is written to disk but by the button that says so.

import { el, show } from './dom.js';
import { call, latest, wasAborted } from './api.js';

const PAUSE = 500;

export class Editor {
  constructor({ adopt, intro, which, reload }) {
    Object.assign(this, { adopt, intro, which, reload, mistakes: [], lines: new Set(), timer: 0 });
    this.gutter = el('div', { class: 'gutter', 'aria-hidden': 'true' });
    this.back = el('pre', { 'aria-hidden': 'true' });
    this.area = el('textarea', { id: 'text', spellcheck: 'false', autocomplete: 'off', wrap: 'off', 'aria-label': 'The text of the model', 'aria-describedby': 'mistakes' });
    this.list = el('ul', { class: 'mistakes', id: 'mistakes', 'aria-live': 'polite' });
    this.status = el('span', { class: 'note', role: 'status' });
    this.save = el('button', { type: 'button', id: 'save', onclick: () => this.write() }, 'Save to the file');
    this.area.addEventListener('input', () => this.typed());
    this.area.addEventListener('scroll', () => this.scrolled());
    this.root = el('div', {},
      el('div', { class: 'tools' }, this.save, el('button', { type: 'button', onclick: () => this.revert() }, 'Undo all changes'), this.status),
      el('div', { class: 'editor' }, this.gutter, el('div', { class: 'sheet' }, this.back, this.area)), this.list);
  }

  open(text, { editable, canSave }) {
    clearTimeout(this.timer);
    this.original = text ?? '';
    this.area.value = this.original;
    this.area.readOnly = !editable;
    this.canSave = canSave;
    this.mistakes = [];
    this.status.textContent = editable ? '' : 'The text is too long to be edited here.';
    this.draw();
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
    this.timer = setTimeout(() => this.look(), PAUSE);
  }

  async look() {
    const text = this.area.value;
    try {
      const outline = await latest('outline', 'outline', { model: { ...this.which(), text } });
      if (text !== this.area.value) return;
      this.mistakes = outline.mistakes;
      this.problem = outline.problem;
      this.draw();
      const wrong = this.mistakes.some((m) => m.severity === 'error') || this.problem;
      this.status.textContent = wrong ? 'The views show the text as it was before the mistake.' : 'The views show this text.';
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
      await call('save', { text: this.area.value, before: this.original });
      this.original = this.area.value;
      this.status.textContent = 'Saved.';
    } catch (e) {
      this.status.textContent = e.message;
    }
    this.draw();
  }

  draw() {
    const text = this.area.value;
    const lines = text.split('\n');
    this.save.disabled = !this.canSave || text === this.original;
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
    const at = lines.slice(0, start.line - 1).reduce((sum, l) => sum + l.length + 1, 0) + start.column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
  }

  scrolled() {
    this.back.scrollTop = this.area.scrollTop;
    this.back.scrollLeft = this.area.scrollLeft;
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
