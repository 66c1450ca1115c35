// A form that goes on by itself: what had been typed before a login, or what needs a proof first. Without this script a
// button does it.
document.querySelector('form[data-again]')?.requestSubmit();
