import { officersOnly, type Route, routesWith } from '@paddock/service';
import { gatewayList } from './operations-schemas.ts';
import type { OtherGateways } from './other-gateways.ts';
import { roleErrors } from './role-errors.ts';

export interface GatewayListDeps {
	readonly gateways: OtherGateways;
}

export interface GatewayListAccess {
	/** Whether the list needs no token. */
	readonly forEverybody: boolean;
}

/** `/gateways`: all gateways, each with its own view of the breakers. */
export function gatewayListRoute(
	prefix: `/${string}`,
	{ forEverybody }: GatewayListAccess,
): Route<GatewayListDeps> {
	return routesWith<GatewayListDeps>('operations')({
		method: 'get',
		path: `${prefix}/gateways`,
		operationId: 'gateways',
		summary: 'The other gateways and their views of the breakers',
		description:
			'Each gateway decides about its breakers from its own requests. For officers and administrators only where details of health are.',
		access: forEverybody ? 'public' : officersOnly,
		tokenOptional: 'ifVerifiable',
		errors: roleErrors,
		output: gatewayList,
		message: 'The gateways of this deployment',
		cacheControl: 'no-store',
		// The others check the same rights. Where none are needed, no token leaves this gateway.
		handler: ({ headers }, { gateways }) =>
			gateways.views(forEverybody ? undefined : String(headers['authorization'])),
	});
}
