// What somebody had typed goes on by itself after the login. Without this script a button does it.
document.querySelector('form[data-again]')?.requestSubmit();

// Bytes as JSON has them.
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Asks the browser for a passkey; what it answers, as JSON. */
async function passkeyFor({ challenge, allowCredentials = [], ...options }) {
  const { id, type, rawId, response } = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(challenge),
      allowCredentials: allowCredentials.map((one) => ({ ...one, id: bytesOf(one.id) })),
    },
  });
  return JSON.stringify({
    id,
    type,
    rawId: textOf(rawId),
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle ? { userHandle: textOf(response.userHandle) } : {}),
    },
  });
}

// A form that a passkey fills in. Browsers have them on pages that came by TLS, or from this machine.
for (const form of window.PublicKeyCredential ? document.querySelectorAll('form[data-passkey]') : []) {
  const [button, failed] = [form.querySelector('button'), form.querySelector('[data-failed]')];
  form.hidden = button.hidden = false;
  form.querySelector('[data-unable]')?.remove();
  form.addEventListener('submit', (event) => {
    const field = form.elements.namedItem('passkey');
    if (field.value) return;
    event.preventDefault();
    failed.hidden = true;
    passkeyFor(JSON.parse(form.dataset.passkey)).then(
      (answer) => {
        field.value = answer;
        form.submit();
      },
      () => {
        failed.hidden = false;
      },
    );
  });
}
