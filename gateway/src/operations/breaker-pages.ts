import { fail, successEnvelope } from '@paddock/contract';
import type { Principal, TokenVerifier } from '@paddock/identity';
import { fieldErrors, jsonBody, line } from '@paddock/service';
import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import type { LiveSessions } from '../authentication/live-sessions.ts';
import type { Context } from '../contexts.ts';
import { exchangeOf } from '../exchange.ts';
import type { HealthDetails } from '../health/health-details.ts';
import type { BreakerOverrides, OverrideTarget } from '../resilience/breaker-overrides.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { breakerList } from './breaker-list.ts';
import { callerWith } from './caller-with.ts';
import { onlyMethods } from './only-methods.ts';
import { queryValues } from './query-values.ts';

export interface BreakerPagesDeps {
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly overrides: BreakerOverrides;
	readonly verifier: TokenVerifier;
	readonly sessions: LiveSessions;
	readonly details: HealthDetails;
	readonly bodyBytesMax: number;
	readonly now: () => Date;
}

export const overrideSecondsDefault = 3_600;
const overrideSecondsMax = 86_400;

/** The body of an override. */
export const breakerOrderBody = z
	.strictObject({
		reason: line(1, 200).describe('For whoever asks later why.'),
		expiresInSeconds: z
			.int('must be a whole number')
			.min(1)
			.max(overrideSecondsMax)
			.default(overrideSecondsDefault)
			.describe('When it ends by itself; without a meaning for `auto`.'),
	})
	.meta({
		id: 'BreakerOrderRequest',
		example: { reason: 'maintenance of its database', expiresInSeconds: 600 },
	});

const stateOf = { open: 'OPEN', close: 'CLOSED', auto: undefined } as const;

export const breakerActions = ['open', 'close', 'auto'] as const;
type Action = (typeof breakerActions)[number];

/** `/breakers`: their state, and an administrator's overrides of it. */
export function breakerPages(prefix: string, deps: BreakerPagesDeps): Router {
	const router = express.Router({ caseSensitive: true, strict: true });
	const path = `${prefix}/breakers`;
	router.get(path, async (req, res) => {
		exchangeOf(req).route = path;
		if (!deps.details.forEverybody) await callerWith(deps.verifier, req, ['FEDERATION_OFFICER', 'ADMIN']);
		res.setHeader('Cache-Control', 'no-store');
		res.json(successEnvelope(breakerList(deps), 'The breakers of all instances', deps.now()));
	});
	const body = jsonBody({ bytesMax: deps.bodyBytesMax });
	for (const action of breakerActions) {
		const at = `${path}/:context/${action}`;
		const admit = async (req: Request): Promise<void> => {
			exchangeOf(req).route = `${path}/{context}/${action}`;
			await callerWith(deps.verifier, req, ['ADMIN']);
		};
		router.all(at, onlyMethods('POST'));
		router.post(
			at,
			(req, _res, next) => admit(req).then(() => next(), next),
			body,
			async (req: Request, res: Response) => {
				// After the body: the request may have been opened before the account was closed.
				await deps.sessions.requireLive(req, res);
				give(deps, action, req, res);
			},
		);
	}
	return router;
}

function give(deps: BreakerPagesDeps, action: Action, req: Request, res: Response): void {
	const principal = exchangeOf(req).principal as Principal;
	const target = targetOf(deps, req);
	const parsed = breakerOrderBody.safeParse(req.body);
	if (!parsed.success) throw fail('VALIDATION_ERROR', { errors: fieldErrors(parsed.error, req.body) });
	const { reason, expiresInSeconds } = parsed.data;
	const state = stateOf[action];
	const at = deps.now();
	if (state === undefined) deps.overrides.remove(target, `${reason} (by ${principal.userId})`);
	else {
		const until = new Date(at.getTime() + expiresInSeconds * 1000);
		deps.overrides.set(target, { state, reason, by: principal.userId, at, until });
	}
	res.setHeader('Cache-Control', 'no-store');
	const message = state === undefined ? 'The breakers decide themselves' : `Forced ${state}`;
	res.json(successEnvelope(breakerList(deps, target), message, at));
}

/** @throws ApiError NOT_FOUND, INVALID_QUERY_PARAMETER */
function targetOf({ contexts, table }: BreakerPagesDeps, req: Request): OverrideTarget {
	const context = contexts.find(({ name }) => name === req.params['context']);
	if (context === undefined) {
		throw fail('NOT_FOUND', {
			message: 'There is no such context.',
			context: { contexts: contexts.map(({ name }) => name) },
		});
	}
	const [instance, ...more] = queryValues(req, 'instance');
	if (more.length > 0) {
		throw fail('INVALID_QUERY_PARAMETER', {
			errors: [{ field: 'instance', code: 'INVALID_FORMAT', message: 'is given more than once' }],
		});
	}
	if (instance === undefined) return { context: context.name };
	const known = table.upstreams(context.service).map((upstream) => upstream.instance.id);
	if (known.includes(instance)) return { context: context.name, instance };
	throw fail('NOT_FOUND', { message: 'There is no such instance; the list of breakers has their ids.' });
}
