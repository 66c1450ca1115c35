// Pickers: a list of objects that searches the server as the user types (ARIA 1.2 combobox). Without this script,
// pickers are plain selects.

const words = () => document.getElementById('form-words')?.dataset ?? {};
const say = (name, values = {}) =>
  (words()[name.toLowerCase()] ?? '').replace(/\{(\w+)\}/g, (place, value) => values[value] ?? place);
const WAIT_MS = 150;
let made = 0;

/** Creates an element with attributes and children; strings become text nodes. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

class Picker {
  constructor(place) {
    this.place = place;
    this.select = place.querySelector('select');
    this.many = this.select.multiple;
    this.form = this.select.form;
    this.label = this.form.querySelector(`label[for="${this.select.id}"]`)?.firstChild?.textContent.trim() ?? '';
    this.options = [];
    this.active = -1;
    this.asked = 0;
    this.typed = '';
    // `stale`: the options belong to an earlier text. `hurried`: take the first option as soon as the next ones arrive.
    this.stale = false;
    this.hurried = false;
    this.build();
    this.listen();
    this.show();
  }

  build() {
    const list = `${this.select.id}-list`;
    this.input = make('input', {
      type: 'text',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': list,
      'aria-describedby': this.select.getAttribute('aria-describedby') ?? undefined,
      'aria-invalid': this.select.getAttribute('aria-invalid') ?? undefined,
      placeholder: this.select.querySelector('option[value=""]')?.textContent ?? say('search'),
    });
    this.input.id = this.select.id;
    this.select.id = `${this.input.id}-select`;
    this.chips = make('span', { class: 'chips-in' });
    this.clear = make(
      'button',
      { type: 'button', class: 'clear', 'aria-label': say('pickClear', { label: this.label }) },
      '×',
    );
    this.list = make('ul', { id: list, role: 'listbox', 'aria-label': this.label, class: 'options' });
    this.list.hidden = true;
    this.note = make('p', { class: 'note-in', role: 'status' });
    this.drop = make('div', { class: 'drop' }, this.list, this.note);
    this.drop.hidden = true;
    this.box = make('div', { class: 'combo' }, this.chips, this.input, this.clear, this.drop);
    this.select.hidden = true;
    this.select.after(this.box);
  }

  get chosen() {
    return [...this.select.selectedOptions].filter(({ value }) => value !== '');
  }

  /** Shows the chosen objects in the field. */
  show() {
    const { chosen } = this;
    this.clear.hidden = chosen.length === 0;
    if (!this.many) {
      this.input.value = chosen[0]?.textContent ?? '';
      return;
    }
    this.chips.replaceChildren(
      ...chosen.map((option) => {
        const name = option.textContent;
        const remove = make('button', { type: 'button', 'aria-label': say('pickRemove', { name }) }, '×');
        remove.addEventListener('click', () => {
          option.remove();
          this.changed();
          this.input.focus();
        });
        return make('span', { class: 'chip' }, name, remove);
      }),
    );
    this.input.value = '';
  }

  changed() {
    this.show();
    this.select.dispatchEvent(new Event('change', { bubbles: true }));
  }

  choose(id, display) {
    this.typed = '';
    if (!this.many) for (const option of [...this.select.options]) if (option.value !== '') option.remove();
    if (![...this.select.options].some(({ value }) => value === String(id)))
      this.select.append(new Option(display, id, true, true));
    else for (const option of this.select.options) if (option.value === String(id)) option.selected = true;
    this.changed();
  }

  empty() {
    for (const option of [...this.select.options]) if (option.value !== '') option.remove();
    this.changed();
  }

  /** The address to search; if another field names the type, the address for that type. */
  get address() {
    const { find, finds, typeField } = this.place.dataset;
    return finds ? JSON.parse(finds)[this.form.elements[typeField]?.value] : find;
  }

  get narrowing() {
    const parts = JSON.parse(this.place.dataset.narrowing ?? '[]');
    return parts.map(({ filter, field, value }) => [filter, value ?? this.form.elements[field]?.value ?? '', field]);
  }

  async look() {
    const number = ++this.asked;
    const { address } = this;
    this.open();
    if (!address) return this.offer([], say('pickType'));
    const query = new URLSearchParams();
    const typed = this.input.value.trim();
    if (typed && typed !== this.chosen[0]?.textContent) query.set('q', typed);
    for (const [filter, value] of this.narrowing) if (value) query.append(filter, value);
    this.note.textContent = say('pickWait');
    try {
      const response = await fetch(`${address}?${query}`, { headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error(String(response.status));
      const { options, more } = await response.json();
      if (number !== this.asked || this.drop.hidden) return;
      this.offer(options, !options.length ? say('pickNothing') : more ? say('pickMore', { count: more }) : '');
    } catch {
      if (number === this.asked) this.offer([], say('pickFailed'));
    }
  }

  offer(options, note) {
    const chosen = new Set(this.chosen.map(({ value }) => value));
    this.options = this.many ? options.filter(({ id }) => !chosen.has(String(id))) : options;
    this.list.replaceChildren(
      ...this.options.map(({ id, display, description, depth }, at) => {
        const option = make(
          'li',
          {
            id: `${this.list.id}-${at}`,
            role: 'option',
            'aria-selected': String(chosen.has(String(id))),
            class: `depth-${Math.min(depth, 6)}`,
          },
          display,
        );
        if (description) option.append(' ', make('small', {}, description));
        return option;
      }),
    );
    this.list.hidden = this.options.length === 0;
    this.note.textContent = note || say('pickFound', { count: this.options.length });
    this.note.classList.toggle('aside', !note);
    this.stale = false;
    this.mark(
      this.input.value.trim() && this.options.length && this.input.value !== this.chosen[0]?.textContent ? 0 : -1,
    );
    const { hurried } = this;
    this.hurried = false;
    if (hurried && this.active >= 0) this.take(this.active);
  }

  mark(at) {
    this.active = at;
    for (const [i, option] of [...this.list.children].entries()) option.classList.toggle('active', i === at);
    const option = this.list.children[at];
    if (option) {
      this.input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else this.input.removeAttribute('aria-activedescendant');
  }

  open() {
    this.drop.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.stale = this.hurried = false;
    this.drop.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.mark(-1);
  }

  take(at) {
    const option = this.options[at];
    if (!option) return;
    this.choose(option.id, option.display);
    this.close();
  }

  key(event) {
    const { key } = event;
    const isOpen = !this.drop.hidden;
    const last = this.options.length - 1;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return void this.look();
      const step = key === 'ArrowDown' ? 1 : -1;
      const next = this.active + step;
      this.mark(next > last ? 0 : next < 0 ? last : next);
    } else if (key === 'Enter' && (isOpen || this.stale)) {
      event.preventDefault();
      // Enter before the server has answered chooses the first match for the typed text, not an earlier option.
      if (this.stale) {
        this.hurried = true;
        clearTimeout(this.timer);
        void this.look();
      } else if (this.active >= 0) this.take(this.active);
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault();
      this.close();
      this.show();
    } else if (key === 'Tab' && isOpen && !this.stale && this.active >= 0) this.take(this.active);
    else if (key === 'Backspace' && this.many && this.input.value === '' && this.chosen.length) {
      this.chosen.at(-1).remove();
      this.changed();
    } else if ((key === 'Home' || key === 'End') && isOpen && this.active >= 0) {
      event.preventDefault();
      this.mark(key === 'Home' ? 0 : last);
    }
  }

  listen() {
    this.input.addEventListener('input', () => {
      this.typed = this.input.value.trim();
      this.stale = true;
      this.hurried = false;
      // An answer still on its way belongs to an earlier text.
      this.asked += 1;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), WAIT_MS);
    });
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('click', () => this.drop.hidden && this.look());
    this.input.addEventListener('focus', () => this.many || this.input.select());
    this.box.addEventListener('focusout', ({ relatedTarget }) => {
      if (this.box.contains(relatedTarget)) return;
      // An emptied field means no object; a half-typed name restores the previous object.
      if (!this.many && this.input.value.trim() === '' && this.chosen.length) this.empty();
      this.close();
      this.show();
    });
    this.list.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const option = event.target.closest('[role="option"]');
      if (option) this.take([...this.list.children].indexOf(option));
    });
    this.clear.addEventListener('click', () => {
      this.empty();
      this.input.focus();
    });
    this.form.elements[this.place.dataset.typeField]?.addEventListener('change', () => this.empty());
    this.place.querySelector('.make')?.addEventListener('click', (event) => this.makeNew(event));
  }

  /** Opens the page that creates a new object; once it is created, it is chosen here. */
  makeNew(event) {
    event.preventDefault();
    const name = `${this.input.id}-${Date.now()}-${(made += 1)}`;
    const query = new URLSearchParams({ _for: name });
    for (const [, value, field] of this.narrowing) if (value && field) query.set(field, value);
    // By the time the link is followed, the field has lost the typed text.
    if (this.typed) query.set('name', this.typed);
    const channel = new BroadcastChannel('cadastre.made');
    channel.addEventListener('message', ({ data }) => {
      if (data.name !== name) return;
      channel.close();
      this.choose(data.id, data.display);
      this.input.focus();
    });
    window.open(`${event.currentTarget.getAttribute('href')}?${query}`, '_blank');
  }
}

const prepare = (within) => {
  for (const place of within.querySelectorAll('[data-picker]')) new Picker(place);
};
prepare(document);
// Pickers in content that a script has replaced.
document.addEventListener('renewed', ({ detail }) => prepare(detail));

const done = document.querySelector('[data-made]');
if (done) {
  const { made: id, for: name, display } = done.dataset;
  new BroadcastChannel('cadastre.made').postMessage({ name, id, display });
  setTimeout(() => window.close(), 100);
}
