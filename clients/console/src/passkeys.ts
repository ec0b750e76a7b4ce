import type { components } from '@paddock/client';

type Schemas = components['schemas'];

// Older browsers have passkeys without these conversions, and insecure origins have neither.
export const hasPasskeys =
	typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Asks the authenticator for a proof. @throws DOMException NotAllowedError if the user cancels */
export async function passkeyProof(options: Schemas['PasskeyOptions']): Promise<Schemas['PasskeyAssertion']> {
	const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
	return jsonOf(await navigator.credentials.get({ publicKey }));
}

/** Creates a passkey. @throws DOMException NotAllowedError if the user cancels */
export async function newPasskey(options: Schemas['PasskeyOptions']): Promise<Schemas['PasskeyAttestation']> {
	const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
	return jsonOf(await navigator.credentials.create({ publicKey }));
}

function jsonOf<Json>(credential: Credential | null): Json {
	if (!(credential instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
	return credential.toJSON() as Json;
}
