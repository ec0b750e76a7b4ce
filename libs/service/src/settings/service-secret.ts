import { z } from 'zod';
import type { SettingRule } from './read-settings.ts';

/** Format of the secret with which a service authenticates to auth. No comma: SERVICE_SECRETS is a list. */
export const serviceSecretFormat = /^[\x21-\x2b\x2d-\x7e]{32,256}$/;

/** The default secret outside of production. It is public, so production refuses it. */
export function developmentSecretOf(client: string): string {
	return `${client}-public-development-secret`;
}

/**
 * The setting SERVICE_SECRET of the service `client`, e.g. `horses-service`. Use it with the rule `ownServiceSecret`.
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

/** The development secret is public. */
export const ownServiceSecret: SettingRule<SecretSettings> = {
	names: ['SERVICE_SECRET', 'NODE_ENV'],
	isMet: ({ NODE_ENV, SERVICE_SECRET }) => NODE_ENV !== 'production' || !isDevelopmentSecret(SERVICE_SECRET),
	message: 'is required with NODE_ENV=production, and must not be a development secret',
};

/** Whether the secret is the development secret of any client. */
export function isDevelopmentSecret(secret: string): boolean {
	return secret.endsWith(developmentSecretOf(''));
}
