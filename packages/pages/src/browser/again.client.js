// A form that submits itself: what had been typed before a login, or before a re-authentication. Without this script,
// the user presses a button.
document.querySelector('form[data-again]')?.requestSubmit();
