import { hasRole, type TokenVerifier } from '@paddock/identity';
import type { Request } from 'express';
import { knownCaller } from '../authentication/authenticate.ts';
import type { CombinedHealth } from './combined-health.ts';
import type { StateChange } from './health-history.ts';
import type { HealthStatus } from './probe.ts';

/** Whether all callers see details, or only officers and administrators. */
export type DetailsPolicy = 'always' | 'authorized';

export interface HealthDetails {
	/** Whether details need no token. */
	readonly forEverybody: boolean;
	/** Whether the caller may see details now; a stream checks it before each event. */
	visibleTo(req: Request): Promise<boolean>;
}

/** The public view of health: states without addresses, causes or names. */
export interface BriefHealth {
	readonly status: HealthStatus;
	readonly components: Readonly<Record<string, { readonly status: HealthStatus }>>;
}

export function createHealthDetails(deps: { policy: DetailsPolicy; verifier: TokenVerifier }): HealthDetails {
	return {
		forEverybody: deps.policy === 'always',
		visibleTo: async (req) => {
			if (deps.policy === 'always') return true;
			const principal = await knownCaller(req, deps.verifier);
			return principal !== undefined && hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
		},
	};
}

export function briefHealth({ status, components }: CombinedHealth): BriefHealth {
	const brief = Object.entries(components).map(([name, component]) => [name, { status: component.status }]);
	return { status, components: Object.fromEntries(brief) };
}

/** The public view of a change. */
export function briefChange({ at, context, what, from, to }: StateChange) {
	return { at, context, what, from, to };
}
