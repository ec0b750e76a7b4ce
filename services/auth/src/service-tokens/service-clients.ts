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
	scopes: ['members:lookup'],
};

export type ServiceClientName = keyof typeof serviceClients;

export const serviceClientNames = Object.keys(serviceClients) as readonly ServiceClientName[];

export function isServiceClient(name: string): name is ServiceClientName {
	return Object.hasOwn(serviceClients, name);
}
