// What somebody was about to do goes on by itself to where it needs a proof first. Without this script a button does it.
document.querySelector('form[data-again]')?.requestSubmit();
