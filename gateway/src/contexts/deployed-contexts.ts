import type { Context } from './context.ts';
import { type Contract, type Contracts, deployedContexts } from './contracts.ts';
import { createRouteTable, type RouteTable, replaceableRouteTable } from './route-table.ts';

/** The contexts that this process serves; attached ones come, change and go while it runs. */
interface DeployedContexts {
	/** Replaced in place: whoever reads it again sees the present ones. */
	readonly list: readonly Context[];
	readonly routes: RouteTable;
	/** The present contracts, of contexts that `CONTEXTS` leaves out as well. */
	contracts(): Contracts;
	/** Replaces the attached ones at once. @throws TypeError if two contexts claim one address; nothing changes then */
	attach(attached: readonly Contract[]): void;
	/** Called after each change, in the order of the calls. */
	onChange(listener: () => void): void;
}

export function createDeployedContexts(
	config: { readonly CONTEXTS: readonly string[] },
	own: Contracts,
	attached: readonly Contract[],
): DeployedContexts {
	const list: Context[] = [];
	const listeners: (() => void)[] = [];
	let contracts = own;
	const { routes, replace } = replaceableRouteTable();
	const attach = (next: readonly Contract[]): void => {
		const all = withAttached(own, next);
		const deployed = deployedContexts(all, config);
		replace(createRouteTable(deployed));
		contracts = all;
		list.splice(0, list.length, ...deployed);
	};
	attach(attached);
	return {
		list,
		contracts: () => contracts,
		attach: (next) => {
			attach(next);
			for (const listener of listeners) listener();
		},
		onChange: (listener) => {
			listeners.push(listener);
		},
		routes,
	};
}

function withAttached(own: Contracts, attached: readonly Contract[]): Contracts {
	return {
		...own,
		contexts: [...own.contexts, ...attached.map(({ context }) => context)],
		documents: new Map([
			...own.documents,
			...attached.map(({ context, document }) => [context.name, document] as const),
		]),
	};
}
