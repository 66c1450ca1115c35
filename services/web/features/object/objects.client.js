// Closes open menus when the user clicks or moves elsewhere, and with Escape.

const unfolded = () => document.querySelectorAll('details.unfold[open]');

document.addEventListener('click', ({ target }) => {
  for (const menu of unfolded()) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of unfolded()) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});
