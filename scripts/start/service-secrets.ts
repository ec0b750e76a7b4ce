import { randomBytes } from 'node:crypto';
import type { ContextDescription } from '@paddock/contract';
import { contexts, serviceName } from '../contexts/contexts.ts';

/** Secrets of the clients that auth issues tokens for, by context name. */
export type ServiceSecrets = ReadonlyMap<string, string>;

/**
 * Generates new secrets at each start: auth and the services start together, so none is stored. Covers all clients,
 * because auth requires the whole list, even for contexts that are not running.
 */
export function newServiceSecrets(): ServiceSecrets {
	const clients = contexts.filter(({ client }) => client !== undefined);
	return new Map(clients.map(({ name }) => [name, randomBytes(32).toString('base64url')]));
}

/** Settings with the secret of one service; for the token issuer, with all secrets. */
export function secretSettings(
	secrets: ServiceSecrets,
	context: Pick<ContextDescription, 'name' | 'issuesServiceTokens'>,
): Record<string, string> {
	const own = secrets.get(context.name);
	if (own !== undefined) return { SERVICE_SECRET: own };
	if (context.issuesServiceTokens !== true) return {};
	const list = [...secrets].map(([name, secret]) => `${serviceName({ name })}=${secret}`);
	return { SERVICE_SECRETS: list.join(',') };
}
