import { isOfficer, type Principal, type TokenVerifier } from '@paddock/identity';
import { knownCaller } from '../authentication/authenticate.ts';
import type { GatewayConfig } from '../config/config.ts';
import type { CombinedHealth } from './combined-health.ts';
import type { StateChange } from './health-history.ts';

export type HealthDetails = ReturnType<typeof createHealthDetails>;

export function createHealthDetails(deps: {
	policy: GatewayConfig['HEALTH_DETAILS'];
	verifier: TokenVerifier;
}) {
	const detailsArePublic = deps.policy === 'always';
	const visibleTo = (caller: Principal | undefined) =>
		detailsArePublic || (caller !== undefined && isOfficer(caller));
	return {
		detailsArePublic,
		visibleTo,
		/** Verifies the token again: during a stream it can expire or be revoked. */
		nowVisibleTo: async (authorization: string | undefined): Promise<boolean> =>
			detailsArePublic || visibleTo(await knownCaller(authorization, deps.verifier)),
	};
}

export function briefHealth({ status, components }: CombinedHealth) {
	const brief = Object.entries(components).map(([name, component]) => [name, { status: component.status }]);
	return { status, components: Object.fromEntries(brief) };
}

export function briefChange({ at, context, contexts, what, from, to }: StateChange) {
	return { at, context, contexts, what, from, to };
}
