// Passkeys (WebAuthn): what the server sends as text becomes bytes for the browser, and back.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Does this browser have passkeys, under this address? */
export const offered = () => isSecureContext && "PublicKeyCredential" in globalThis;

/** Have the browser make a passkey; what the server wants to know of it. */
export async function make(options) {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((known) => ({ ...known, id: bytes(known.id) })),
  };
  const made = await navigator.credentials.create({ publicKey });
  return packed(made, ["attestationObject", "clientDataJSON"]);
}

/** Have the browser use a passkey. */
export async function use(options) {
  const found = await navigator.credentials.get({ publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: [] } });
  return packed(found, ["authenticatorData", "clientDataJSON", "signature", "userHandle"]);
}

function packed(credential, parts) {
  const response = Object.fromEntries(parts.map((part) => [part, credential.response[part] && text(credential.response[part])]));
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
}
