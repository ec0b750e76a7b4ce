import { randomBytes } from 'node:crypto';
import type { ContextDescription } from '@paddock/contract';
import { contexts, serviceName } from '../contexts/contexts.ts';

/** The secret of each client that auth issues tokens for, by the context's name. */
export type ServiceSecrets = ReadonlyMap<string, string>;

/**
 * New ones at each start: auth and the services are started together, so none has to be stored. For all clients, as auth
 * requires the whole list, whichever contexts run.
 */
export function newServiceSecrets(): ServiceSecrets {
	const clients = contexts.filter(({ client }) => client !== undefined);
	return new Map(clients.map(({ name }) => [name, randomBytes(32).toString('base64url')]));
}

/** The settings that give a service its own secret, and the issuer of the tokens all of them. */
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
