/** An administrator's word on breakers, which stands above what they find out themselves. */
export interface BreakerOrder {
	readonly state: 'OPEN' | 'CLOSED';
	readonly reason: string;
	/** The id of the user who gave it. */
	readonly by: string;
	readonly at: Date;
	readonly until: Date;
}

/** All instances of a context, those to come included, or one of them. */
export interface OrderTarget {
	readonly context: string;
	readonly instance?: string;
}

/** An order that has begun (`from` undefined), was replaced, or has ended (`to` undefined). */
export interface OrderChange {
	readonly target: OrderTarget;
	readonly from: BreakerOrder | undefined;
	readonly to: BreakerOrder | undefined;
	readonly cause: string;
}

export interface StandingOrder extends BreakerOrder {
	readonly target: OrderTarget;
}

export interface BreakerOrders {
	/** The order that an instance obeys now. */
	of(context: string, instance: string): BreakerOrder | undefined;
	/** One for a context takes the place of those for its instances: the newest that covers an instance holds. */
	give(target: OrderTarget, order: BreakerOrder): void;
	/** Back to normal; for a context its instances' orders end as well. Does nothing where there is none. */
	withdraw(target: OrderTarget, cause: string): void;
	list(): readonly StandingOrder[];
	close(): void;
}

interface Entry {
	readonly target: OrderTarget;
	readonly order: BreakerOrder;
	readonly timer: NodeJS.Timeout;
}

/** Keeps orders in this process's memory; each ends by itself, so that one forgotten can't rule for ever. */
export function createBreakerOrders(deps: {
	now: () => Date;
	onChange: (change: OrderChange) => void;
}): BreakerOrders {
	const entries = new Map<string, Entry>();
	const isCurrent = ({ order }: Entry): boolean => deps.now() < order.until;
	const currentAt = (key: string): BreakerOrder | undefined => {
		const entry = entries.get(key);
		return entry !== undefined && isCurrent(entry) ? entry.order : undefined;
	};
	const end = (entry: Entry, cause: string): void => {
		clearTimeout(entry.timer);
		entries.delete(keyOf(entry.target));
		deps.onChange({ target: entry.target, from: entry.order, to: undefined, cause });
	};
	const covered = ({ context, instance }: OrderTarget): Entry[] =>
		[...entries.values()].filter(
			({ target }) => target.context === context && (instance === undefined || target.instance === instance),
		);
	return {
		of: (context, instance) => {
			// Asked for every request, and hardly ever is there one.
			if (entries.size === 0) return undefined;
			return currentAt(keyOf({ context, instance })) ?? currentAt(keyOf({ context }));
		},
		give: (target, order) => {
			const key = keyOf(target);
			const from = currentAt(key);
			for (const entry of covered(target)) {
				if (keyOf(entry.target) !== key) end(entry, `replaced by an order for all of ${target.context}`);
				else clearTimeout(entry.timer);
			}
			const timer = setTimeout(() => {
				const entry = entries.get(key);
				if (entry?.order === order) end(entry, 'its time is over');
			}, order.until.getTime() - deps.now().getTime());
			timer.unref();
			entries.set(key, { target, order, timer });
			deps.onChange({ target, from, to: order, cause: order.reason });
		},
		withdraw: (target, cause) => {
			for (const entry of covered(target)) end(entry, cause);
		},
		list: () => [...entries.values()].filter(isCurrent).map(({ target, order }) => ({ target, ...order })),
		close: () => {
			for (const { timer } of entries.values()) clearTimeout(timer);
		},
	};
}

// An id may hold any character; JSON keeps the two apart.
function keyOf({ context, instance }: OrderTarget): string {
	return JSON.stringify([context, instance]);
}
