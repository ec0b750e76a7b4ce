import { z } from 'zod';

/** What a service proves itself with towards auth. No comma: auth's own setting is a list of them. */
export const serviceSecretFormat = /^[\x21-\x2b\x2d-\x7e]{32,256}$/;

/** The secret outside of production, where none is set. Public, which is why production refuses it. */
export function developmentSecretOf(client: string): string {
	return `${client}-public-development-secret`;
}

/**
 * The setting SERVICE_SECRET of the service that is `client` towards others, e.g. `horses-service`. Goes together with
 * `ownServiceSecret`:
 * `z.object({ ..., SERVICE_SECRET: serviceSecretSetting('horses-service') }).superRefine(ownServiceSecret)`
 */
export function serviceSecretSetting(client: string) {
	return z
		.string()
		.regex(serviceSecretFormat, 'must be 32 to 256 visible ASCII characters without a comma')
		.default(developmentSecretOf(client));
}

interface SecretSettings {
	readonly NODE_ENV: string;
	readonly SERVICE_SECRET: string;
}

/** Demands a secret of its own from an installation with NODE_ENV=production. */
export function ownServiceSecret(settings: SecretSettings, context: z.RefinementCtx): void {
	if (settings.NODE_ENV !== 'production' || !isDevelopmentSecret(settings.SERVICE_SECRET)) return;
	context.addIssue({
		code: 'custom',
		path: ['SERVICE_SECRET'],
		message: 'is required with NODE_ENV=production, and must not be a development secret',
	});
}

/** Whether it is some client's public secret, not only one's own. */
export function isDevelopmentSecret(secret: string): boolean {
	return secret.endsWith(developmentSecretOf(''));
}
