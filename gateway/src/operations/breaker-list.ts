import type { z } from 'zod';
import type { Context } from '../contexts.ts';
import type { BreakerOverrides, OverrideTarget } from '../resilience/breaker-overrides.ts';
import type { OverridableView } from '../resilience/overridable-breaker.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { breakerList as schema } from './operations-schemas.ts';

/** Breakers with their state, and the current overrides; those of `target`, if given. */
export function breakerList(
	deps: { contexts: readonly Context[]; table: InstanceTable; overrides: BreakerOverrides },
	target?: OverrideTarget,
): z.output<typeof schema> {
	const covers = (context: string, instance: string | undefined): boolean =>
		target === undefined ||
		(context === target.context && (target.instance === undefined || instance === target.instance));
	const breakers = deps.contexts.flatMap((context) =>
		deps.table.upstreams(context.service).map(({ instance, breaker }) => ({
			context: context.name,
			instance: instance.id,
			address: `${instance.address}:${instance.port}`,
			...viewText(breaker.view()),
		})),
	);
	const orders = deps.overrides.list().map(({ at, until, ...override }) => ({
		...override,
		at: at.toISOString(),
		until: until.toISOString(),
	}));
	return {
		breakers: breakers.filter(({ context, instance }) => covers(context, instance)),
		orders: orders.filter(({ target: { context, instance } }) => covers(context, instance)),
	};
}

function viewText({ state, since, failureRate, nextTryAt, forced }: OverridableView) {
	return {
		state,
		since: since.toISOString(),
		failureRate,
		nextTryAt: nextTryAt?.toISOString(),
		...(forced === undefined ? {} : { forced: { ...forced, until: forced.until.toISOString() } }),
	};
}
