// Makes a passkey for the form that asks for one. Browsers have them on pages that came by TLS, or from this machine.
(() => {
  const form = document.querySelector('form[data-new-passkey]');
  if (!form || !window.PublicKeyCredential) return;

  // Bytes as JSON has them.
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const textOf = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');

  async function made({ challenge, user, excludeCredentials = [], ...options }) {
    const { id, type, rawId, response } = await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytesOf(challenge),
        user: { ...user, id: bytesOf(user.id) },
        excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: bytesOf(one.id) })),
      },
    });
    return JSON.stringify({
      id,
      type,
      rawId: textOf(rawId),
      clientExtensionResults: {},
      response: {
        clientDataJSON: textOf(response.clientDataJSON),
        attestationObject: textOf(response.attestationObject),
        transports: response.getTransports?.() ?? [],
      },
    });
  }

  const failed = form.querySelector('[data-failed]');
  form.querySelector('[data-unable]').remove();
  form.querySelector('button').hidden = false;
  form.addEventListener('submit', (event) => {
    const field = form.elements.namedItem('response');
    if (field.value) return;
    event.preventDefault();
    failed.hidden = true;
    made(JSON.parse(form.dataset.newPasskey)).then(
      (answer) => {
        field.value = answer;
        form.submit();
      },
      () => {
        failed.hidden = false;
      },
    );
  });
})();
