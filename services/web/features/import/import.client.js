// An import of several portions continues by itself as long as no problem occurs.
document.querySelector('form[data-go-on]')?.requestSubmit();
for (const part of document.querySelectorAll('[data-focus]')) part.focus();
