// While the user types in a field, shows below it what the server says about the value.

const PAUSE_MS = 400;

function telling(field) {
  const { form } = field;
  const note = document.createElement('div');
  note.className = 'told';
  note.setAttribute('role', 'status');
  field.after(note);
  const from = field.dataset.toldFrom.split(' ');
  let timer;
  let asking;
  let last = '';

  async function ask() {
    const given = new FormData(form);
    const query = new URLSearchParams(from.flatMap((name) => given.getAll(name).map((value) => [name, value])));
    if (`${query}` === last) return;
    last = `${query}`;
    asking?.abort();
    asking = new AbortController();
    try {
      const answer = await fetch(`${field.dataset.told}?${query}`, {
        headers: { 'x-partial': '1' },
        signal: asking.signal,
      });
      const page = new DOMParser().parseFromString(
        answer.ok && !answer.redirected ? await answer.text() : '',
        'text/html',
      );
      note.replaceChildren(...(page.querySelector('.told')?.childNodes ?? []));
    } catch (error) {
      if (error.name !== 'AbortError') note.replaceChildren();
    }
  }
  form.addEventListener('input', ({ target }) => {
    if (!from.includes(target.name)) return;
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
  ask();
}

for (const field of document.querySelectorAll('[data-told]')) telling(field);
