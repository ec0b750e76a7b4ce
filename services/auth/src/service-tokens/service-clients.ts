import { developmentSecretOf, serviceSecretFormat } from '@paddock/service/settings';
import { z } from 'zod';
import { serviceClients as generated } from './service-clients.generated.ts';

/** One service as a client of the others. */
interface ServiceClient {
	/** UUID, the `sub` of its tokens; fixed, so that logs identify the service over years. */
	readonly id: string;
	/** Granted scopes, as named by the internal routes of other services. */
	readonly scopes: readonly string[];
}

/** The services that may get a token, with their rights; each context's description states its own. */
export const serviceClients = generated satisfies Record<string, ServiceClient>;

/** The auth service itself, which signs its own token and needs no secret. */
export const authServiceClient: ServiceClient = {
	id: '5e000000-0000-4000-8000-000000000010',
	scopes: ['members:lookup', 'persons:export', 'persons:erase'],
};

export type ServiceClientName = keyof typeof serviceClients;

const serviceClientNames = Object.keys(serviceClients) as readonly ServiceClientName[];

export function isServiceClient(name: string): name is ServiceClientName {
	return Object.hasOwn(serviceClients, name);
}

/** One or two secrets for each client. */
export type ServiceSecrets = ReadonlyMap<ServiceClientName, readonly string[]>;

/** A client has two secrets while its secret is replaced. */
const secretsMax = 2;

const developmentSecrets: ServiceSecrets = new Map(
	serviceClientNames.map((name) => [name, [developmentSecretOf(name)]]),
);

/**
 * `horses-service=…,events-service=…`: the secrets with which services authenticate. A client that isn't listed gets no
 * token; one that is listed twice authenticates with either secret. Secrets of different clients must differ, or one
 * client could authenticate as another.
 */
export const serviceSecretsSetting = z
	.string()
	.transform((text, context): ServiceSecrets => {
		const secrets = new Map<ServiceClientName, string[]>();
		// A violation names the client and never contains the value.
		const refuse = (message: string) => context.addIssue({ code: 'custom', message });
		for (const [index, entry] of text.split(',').entries()) {
			const end = entry.indexOf('=');
			const name = entry.slice(0, end).trim();
			const secret = entry.slice(end + 1).trim();
			const earlier = isServiceClient(name) ? (secrets.get(name) ?? []) : [];
			if (end === -1 || !isServiceClient(name)) {
				refuse(`entry ${index + 1} must be CLIENT=SECRET with a client of ${serviceClientNames.join(', ')}`);
			} else if (earlier.length === secretsMax) refuse(`${name} has more than ${secretsMax} secrets`);
			else if (!serviceSecretFormat.test(secret)) {
				refuse(`the secret of ${name} must be 32 to 256 visible ASCII characters without a comma`);
			} else if ([...secrets.values()].flat().includes(secret))
				refuse(`the secret of ${name} is listed twice`);
			else secrets.set(name, [...earlier, secret]);
		}
		return secrets;
	})
	.default(developmentSecrets);
