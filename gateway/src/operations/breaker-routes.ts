import { apiError, commonErrors } from '@paddock/contract';
import { administratorsOnly, line, type Route, routesWith } from '@paddock/service';
import { z } from 'zod';
import { type LiveSessions, sessionCaller } from '../authentication/live-sessions.ts';
import type { Context } from '../contexts/context.ts';
import type { BreakerOverrides } from '../upstream/breaker-overrides.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { overrideSecondsMax } from '../upstream/override-decision.ts';
import { covers, type OverrideTarget } from '../upstream/override-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import { type OperationsAccess, officersUnless } from './operations-access.ts';
import { breakerList, gatewayList } from './operations-schemas.ts';
import type { OtherGateways } from './other-gateways.ts';

export interface BreakerDeps {
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<ObservedInstance>;
	readonly overrides: BreakerOverrides;
	readonly sessions: LiveSessions;
	readonly gateways: OtherGateways;
}

const overrideBody = z
	.strictObject({
		reason: line(1, 200).describe('Reason, shown in the history and, of `open`, to refused clients.'),
		expiresInSeconds: z
			.int('must be a whole number')
			.min(1)
			.max(overrideSecondsMax)
			.default(3_600)
			.describe('Seconds until the override ends; ignored by `auto`.'),
	})
	.meta({
		id: 'BreakerOverrideRequest',
		description: 'Reason and duration of an override.',
		example: { reason: 'maintenance of its database', expiresInSeconds: 600 },
	});

const actions = {
	open: { state: 'OPEN', summary: 'Force breakers open: no request is admitted', message: 'Forced OPEN' },
	close: {
		state: 'CLOSED',
		summary: 'Force breakers closed: every request is admitted, whatever fails',
		message: 'Forced CLOSED',
	},
	auto: {
		state: undefined,
		summary: 'End the override: breakers decide themselves',
		message: 'The breakers decide themselves',
	},
} as const;

const route = routesWith<BreakerDeps>('operations');

/** `/breakers`: their state, and an administrator's overrides of it. `/gateways`: the view of each gateway. */
export function breakerRoutes(
	prefix: `/${string}`,
	{ detailsArePublic }: OperationsAccess,
): readonly Route<BreakerDeps>[] {
	const list = route({
		method: 'get',
		path: `${prefix}/breakers`,
		operationId: 'breakers',
		summary: 'The circuit breakers of all instances, and the current overrides',
		description: 'For officers and administrators only where details of health are.',
		...officersUnless(detailsArePublic),
		output: breakerList,
		message: 'The breakers of all instances',
		handler: (_request, deps) => breakersOf(deps),
	});
	const gateways = route({
		method: 'get',
		path: `${prefix}/gateways`,
		operationId: 'gateways',
		summary: 'The other gateways and their views of the breakers',
		description:
			'Each gateway decides about its breakers from its own requests. For officers and administrators only where details of health are.',
		...officersUnless(detailsArePublic),
		output: gatewayList,
		message: 'The gateways of this deployment',
		// The others check the same rights. Where none are needed, no token leaves this gateway.
		handler: ({ headers }, deps) =>
			deps.gateways.views(detailsArePublic ? undefined : String(headers['authorization'])),
	});
	const names = Object.keys(actions) as (keyof typeof actions)[];
	const overrides = names.map((name) => overrideRoute(`${prefix}/breakers/{context}/${name}`, name));
	return [list, ...overrides, gateways];
}

const overrideDescription = `Of all instances of a context, including future ones, or of one. The override expires. It applies at
every gateway if they share a store, see \`storedIn\`. 409 if another administrator has just changed it; 503 if it can't
be stored.`;

function overrideRoute(path: `/${string}`, name: keyof typeof actions): Route<BreakerDeps> {
	const { state, summary, message } = actions[name];
	return route({
		method: 'post',
		path,
		operationId: `${name}Breakers`,
		writers: 'office',
		summary,
		description: overrideDescription,
		access: administratorsOnly,
		params: z.object({
			context: z.string().meta({ example: 'masterdata', description: 'Name of the context.' }),
		}),
		query: z.strictObject({
			instance: z.string().optional().meta({ description: 'The id of one instance, as health shows it.' }),
		}),
		body: overrideBody,
		errors: {
			STEP_UP_REQUIRED: commonErrors.STEP_UP_REQUIRED,
			SERVICE_UNAVAILABLE: commonErrors.SERVICE_UNAVAILABLE,
			CONFLICT: commonErrors.CONFLICT,
		},
		output: breakerList,
		message,
		cacheControl: 'no-store',
		handler: async (request, deps) => {
			const { params, query, body, principal, now } = request;
			// After the body: the request may have been opened before the account was closed.
			const byName = await deps.sessions.requireSteppedUp(sessionCaller(request));
			const target = targetOf(deps, params.context, query.instance);
			const { userId } = principal;
			if (state === undefined) {
				const reason = `${body.reason} (by ${byName ?? userId})`;
				await deps.overrides.remove(target, { reason, by: userId, at: now });
			} else {
				const until = new Date(now.getTime() + body.expiresInSeconds * 1_000);
				await deps.overrides.set(target, { state, reason: body.reason, by: userId, byName, at: now, until });
			}
			return breakersOf(deps, target);
		},
	});
}

/** @throws ApiError NOT_FOUND */
function targetOf(
	{ contexts, table }: BreakerDeps,
	name: string,
	instance: string | undefined,
): OverrideTarget {
	const context = contexts.find((each) => each.name === name);
	if (context === undefined) {
		throw apiError('NOT_FOUND', {
			message: 'There is no such context.',
			context: { contexts: contexts.map((each) => each.name) },
		});
	}
	if (instance === undefined) return { context: context.name };
	const known = table.upstreams(context.service).map((upstream) => upstream.instance.id);
	if (known.includes(instance)) return { context: context.name, instance };
	throw apiError('NOT_FOUND', { message: 'There is no such instance; the list of breakers has their ids.' });
}

/** Breakers with their state, and the current overrides; those of `target`, if given. */
function breakersOf(deps: BreakerDeps, target?: OverrideTarget): z.output<typeof breakerList> {
	const isShown = (of: OverrideTarget): boolean => target === undefined || covers(target, of);
	const breakers = deps.contexts.flatMap((context) =>
		deps.table.upstreams(context.service).map(({ instance, breaker }) => ({
			context: context.name,
			instance: instance.id,
			address: `${instance.address}:${instance.port}`,
			...breaker.view(),
		})),
	);
	return {
		storedIn: deps.overrides.storedIn,
		stale: deps.overrides.stale(),
		breakers: breakers.filter(isShown),
		orders: deps.overrides.list().filter((override) => isShown(override.target)),
	};
}
