import type { ContextDescription } from '@paddock/contract';
import * as listed from '../../contexts.ts';

/** Offset of the embedded database's port from the port of the gateway. */
export const databasePortOffset = 10;

/** All contexts, sorted by port. @throws TypeError if the descriptions conflict. */
export const contexts: readonly ContextDescription[] = consistent(
	Object.values<ContextDescription>(listed).sort((one, other) => one.portOffset - other.portOffset),
);

export const portOffsetMax = Math.max(databasePortOffset, ...contexts.map(({ portOffset }) => portOffset));

/** Name under which the service registers and the gateway resolves it. */
export function serviceName(context: Pick<ContextDescription, 'name'>): string {
	return `${context.name}-service`;
}

/** Entry files, relative to the project's root. */
export const gatewayMain = 'gateway/src/main.ts';

export function serviceMain({ name }: Pick<ContextDescription, 'name'>): string {
	return `services/${name}/src/main.ts`;
}

function consistent(all: readonly ContextDescription[]): readonly ContextDescription[] {
	const names = new Set(all.map(({ name }) => name));
	const claims = new Set([`port offset ${databasePortOffset}`]);
	for (const { name, prefix, alsoAt = [], portOffset, calls } of all) {
		if (!/^[a-z][a-z0-9]{0,30}$/.test(name)) throw new TypeError(`${name} is not a valid context name.`);
		for (const claim of [`name ${name}`, prefix, ...alsoAt, `port offset ${portOffset}`]) {
			if (claims.has(claim)) throw new TypeError(`${name}: ${claim} is taken.`);
			claims.add(claim);
		}
		const unknown = calls.find((called) => !names.has(called));
		if (unknown !== undefined) throw new TypeError(`${name} calls ${unknown}, which is not a context.`);
	}
	return all;
}
