import { contexts } from './contexts.generated.ts';

/** One bounded context behind the gateway. */
export interface Context {
	readonly name: string;
	/** What it stores, in a few words for the landing page. */
	readonly summary: string;
	/** Requests at and below it belong to the context; matched at segment boundaries. */
	readonly prefix: `/${string}`;
	/** Single addresses outside the prefix that belong to the context too. */
	readonly alsoAt?: readonly `/${string}`[];
	/** Its name in the registry. */
	readonly service: string;
	/** Without a usable instance of a critical context the whole system counts as DOWN. */
	readonly critical: boolean;
	/** The routes that need no token, `METHOD /path`; all others do. GET includes HEAD. */
	readonly publicRoutes: readonly `${Uppercase<string>} /${string}`[];
	/** True if the context checks the live session itself at each change; the gateway then does not. */
	readonly checksSessions?: true;
	/** Milliseconds to the response headers where the general setting doesn't fit. */
	readonly responseTimeoutMs?: number;
}

/** Every context that this gateway can front. `CONTEXTS` says which of them a deployment has. */
export const contextTable = contexts satisfies readonly Context[];

export type ContextName = (typeof contextTable)[number]['name'];

/** A deployment has all of them unless it says otherwise. */
export const contextNames: readonly ContextName[] = contextTable.map((context) => context.name);

/** The rows of the table that a deployment has, in the table's order. */
export function selectContexts(names: readonly ContextName[]): readonly Context[] {
	return contextTable.filter((context) => names.includes(context.name));
}
