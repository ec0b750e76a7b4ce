/** One service that `npm start` runs. */
export interface StartedContext {
	name: string;
	/** Its port is PORT plus this. */
	portOffset: number;
	/** It gets a database and a role of its own, both `paddock_<name>`. */
	hasDatabase: boolean;
	/** Settings of ours that only this service may see. */
	secrets?: readonly string[];
}

/** All of them; a new context is one line here. The offsets are fixed, so that an address never changes its owner. */
export const startedContexts: readonly StartedContext[] = [
	{ name: 'auth', portOffset: 1, hasDatabase: true, secrets: ['ADMIN_EMAIL', 'ADMIN_PASSWORD'] },
	{ name: 'members', portOffset: 2, hasDatabase: true },
	{ name: 'masterdata', portOffset: 3, hasDatabase: true },
	{ name: 'horses', portOffset: 4, hasDatabase: true },
	{ name: 'events', portOffset: 5, hasDatabase: true },
	{ name: 'ping', portOffset: 6, hasDatabase: false },
];

export const databasePortOffset = 10;

/** As the service registers itself and as the gateway looks for it. */
export function serviceName(context: Pick<StartedContext, 'name'>): string {
	return `${context.name}-service`;
}

/** The programs, from the project's root. */
export const gatewayMain = 'gateway/src/main.ts';

export function serviceMain({ name }: Pick<StartedContext, 'name'>): string {
	return `services/${name}/src/main.ts`;
}
