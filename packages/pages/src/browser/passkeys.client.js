// Forms that a passkey fills in, or that a new passkey is made for. Browsers have passkeys on pages that came by TLS, or
// from this machine.
(() => {
  if (!window.PublicKeyCredential) return;

  // Bytes as JSON has them.
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const textOf = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const withBytes = (known = []) => known.map((one) => ({ ...one, id: bytesOf(one.id) }));

  /** What the browser answers, as JSON. */
  const answered = ({ id, type, rawId, response }, more) =>
    JSON.stringify({
      id,
      type,
      rawId: textOf(rawId),
      clientExtensionResults: {},
      response: { clientDataJSON: textOf(response.clientDataJSON), ...more },
    });

  /** Asks the browser for a passkey that is there. */
  async function used({ challenge, allowCredentials, ...options }) {
    const credential = await navigator.credentials.get({
      publicKey: { ...options, challenge: bytesOf(challenge), allowCredentials: withBytes(allowCredentials) },
    });
    const { authenticatorData, signature, userHandle } = credential.response;
    return answered(credential, {
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      ...(userHandle ? { userHandle: textOf(userHandle) } : {}),
    });
  }

  /** Asks the browser for a new passkey. */
  async function made({ challenge, user, excludeCredentials, ...options }) {
    const credential = await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytesOf(challenge),
        user: { ...user, id: bytesOf(user.id) },
        excludeCredentials: withBytes(excludeCredentials),
      },
    });
    const { response } = credential;
    return answered(credential, {
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    });
  }

  /** A form whose field is filled in by a passkey before it is sent. */
  function fillIn(form, name, options, passkey) {
    const failed = form.querySelector('[data-failed]');
    form.querySelector('[data-unable]')?.remove();
    form.hidden = form.querySelector('button').hidden = false;
    form.addEventListener('submit', (event) => {
      const field = form.elements.namedItem(name);
      if (field.value) return;
      event.preventDefault();
      failed.hidden = true;
      passkey(JSON.parse(options)).then(
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

  for (const form of document.querySelectorAll('form[data-passkey]'))
    fillIn(form, 'passkey', form.dataset.passkey, used);
  for (const form of document.querySelectorAll('form[data-new-passkey]'))
    fillIn(form, 'response', form.dataset.newPasskey, made);
})();
