// What somebody had typed goes on by itself after the login. Without this script a button does it.
document.querySelector('form[data-again]')?.requestSubmit();
