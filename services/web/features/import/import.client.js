// An import of several portions goes on by itself, as long as all goes well.
document.querySelector('form[data-go-on]')?.requestSubmit();
for (const part of document.querySelectorAll('[data-focus]')) part.focus();
