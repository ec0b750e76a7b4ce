import { randomBytes } from 'node:crypto';
import { type StartedContext, serviceName } from './contexts.ts';

/** What each service that asks others proves itself with, by the context's name. */
export type ServiceSecrets = ReadonlyMap<string, string>;

/** The contexts that ask others. Auth is told of all of them, whether they are started or not: it demands its list. */
const asking = ['members', 'masterdata', 'horses', 'events'];

/** New ones at each start: nobody needs to keep them, as auth and the services are started together. */
export function newServiceSecrets(): ServiceSecrets {
	return new Map(asking.map((name) => [name, randomBytes(32).toString('base64url')]));
}

/** The settings that tell a service its own secret, and auth all of them. */
export function secretSettings(secrets: ServiceSecrets, context: StartedContext): Record<string, string> {
	const own = secrets.get(context.name);
	if (own !== undefined) return { SERVICE_SECRET: own };
	if (context.name !== 'auth') return {};
	const list = [...secrets].map(([name, secret]) => `${serviceName({ name })}=${secret}`);
	return { SERVICE_SECRETS: list.join(',') };
}
