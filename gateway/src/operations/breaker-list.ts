import type { Context } from '../contexts.ts';
import type { BreakerOrders, OrderTarget, StandingOrder } from '../resilience/breaker-orders.ts';
import type { BreakerView } from '../resilience/instance-breaker.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';

export interface ListedBreaker extends BreakerView {
	readonly context: string;
	readonly instance: string;
	readonly address: string;
}

/** Breakers with their state, and the orders that stand; of a target, where one is given. */
export function breakerList(
	deps: { contexts: readonly Context[]; table: InstanceTable; orders: BreakerOrders },
	target?: OrderTarget,
): { breakers: readonly ListedBreaker[]; orders: readonly StandingOrder[] } {
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
		breakers: breakers.filter(({ context, instance }) => covers(context, instance)),
		orders: deps.orders.list().filter((order) => covers(order.target.context, order.target.instance)),
	};
}
