import type { Database } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { type RouteRequest, routesWith } from '@paddock/service';
import type { HorsesSchema } from './database-schema.ts';
import type { MemberDirectory } from './references/member-directory.ts';
import type { OpenEntries } from './references/open-entries.ts';
import type { References } from './references/references.ts';

/** Dependencies of every handler of this context. */
export interface HorsesDeps {
	readonly db: Database<HorsesSchema>;
	readonly directory: MemberDirectory;
	/** Looks up members, clubs and countries in their contexts. */
	readonly references: References;
	/** Undefined in a deployment without events. */
	readonly openEntries: OpenEntries | undefined;
}

/** A request without its input: caller, time and abort signal. */
export type Call = Omit<
	RouteRequest<undefined, undefined, undefined, Principal>,
	'params' | 'query' | 'body' | 'serverOwned'
>;

/** Context of a call to another service. */
export type CallContext = Pick<Call, 'requestId' | 'signal' | 'traceparent'>;

/** Declares one route of this context. */
export const route = routesWith<HorsesDeps>();
