import type { z } from 'zod';
import type { Context } from '../contexts.ts';
import type { BreakerOverrides } from '../resilience/breaker-overrides.ts';
import type { OverrideTarget } from '../resilience/override-table.ts';
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
			...breaker.view(),
		})),
	);
	return {
		storedIn: deps.overrides.storedIn,
		stale: deps.overrides.stale(),
		breakers: breakers.filter(({ context, instance }) => covers(context, instance)),
		orders: deps.overrides.list().filter(({ target: { context, instance } }) => covers(context, instance)),
	};
}
